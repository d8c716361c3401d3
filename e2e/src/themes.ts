// A light theme for the host, which ships none.

import type { HostPage } from "./page.ts";

/** Puts light colours over the theme; choosing another theme removes them, apart from the background. */
export async function lightTheme({ page }: HostPage): Promise<void> {
  await page.evaluate(() => {
    const light = { BodyColor: "#1d2024", EmColor: "#4a4f57", BlurTintColor: "rgba(250, 250, 248, 0.8)", ChatTintColor: "rgba(255, 255, 255, 0.9)", QuoteColor: "#1b5fc1", BorderColor: "#ccc", BotMesBlurTintColor: "#fff", UserMesBlurTintColor: "#f4f4f4" };
    for (const [name, colour] of Object.entries(light)) document.documentElement.style.setProperty(`--SmartTheme${name}`, colour);
    document.body.style.backgroundColor = "#eee";
  });
}
