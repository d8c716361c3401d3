// axe-core in a page: the serious findings inside one element.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

interface Axe {
  run(where: string, options: object): Promise<{ violations: { id: string; impact?: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/** Returns what axe calls serious or critical, one line each. */
export async function seriousFindings(page: Page, where: string): Promise<string[]> {
  const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(`globalThis.axe || (() => { ${source} })()`);
  return page.evaluate(async (selector) => {
    const { axe } = globalThis as never as { axe: Axe };
    const { violations } = await axe.run(selector, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`));
  }, where);
}
