// WebP as Chromium encodes it: a third of the size of a PNG.

import type { BrowserContext } from "playwright-core";

export async function webp(context: BrowserContext, png: Buffer, quality: number): Promise<Buffer> {
  const blank = await context.newPage();
  const made = await blank.evaluate(
    async ([source, quality]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      canvas.getContext("2d")!.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", quality);
    },
    [png.toString("base64"), quality] as const,
  );
  await blank.close();
  return Buffer.from(made.split(",")[1]!, "base64");
}
