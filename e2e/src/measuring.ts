// How much the main thread of a page works while something is done.

import type { Page } from "playwright-core";

const most = (times: number[]): number => Math.max(0, ...times);

/** Main-thread work during `act`: the longest task, and the time per frame. */
export async function during(page: Page, act: () => Promise<void>): Promise<{ longest: number; frame: number }> {
  // The compiler of these tests names functions with a helper, which the page does not have.
  await page.evaluate("globalThis.__name = (value) => value");
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ["longtask"] });
  });
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const work = async (): Promise<number> => {
    const { metrics } = await client.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const frames = page.evaluate(() => {
    let count = 0;
    const next = (): void => void (count++, requestAnimationFrame(next));
    requestAnimationFrame(next);
    Object.assign(window, { frames: () => count });
  });
  await frames;
  const before = await work();
  await act();
  const spent = (await work()) - before;
  const [seen, count] = await page.evaluate(() => {
    const own = window as unknown as { seen: number[]; frames: () => number };
    return [own.seen, own.frames()] as const;
  });
  return { longest: most(seen), frame: spent / Math.max(1, count) };
}
