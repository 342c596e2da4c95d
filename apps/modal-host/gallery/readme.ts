/** The README's picture in `docs/images/`: three views, light and dark. */
import { mkdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser } from '@playwright/test'

const images = fileURLToPath(new URL('../../../docs/images/', import.meta.url))
const stories = ['sign-in', 'account', 'approve-swap'] as const
const themes = ['light', 'dark'] as const
/** In CSS px; `scale` in device pixels per CSS px. */
const shot = { width: 480, height: 720, scale: 1.5 }

export const readmeShots: readonly string[] = themes.flatMap((theme) => stories.map((story) => `${story}--${theme}`))

export async function composeReadme(browser: Browser, folder: string): Promise<void> {
  await mkdir(images, { recursive: true })
  for (const theme of themes) {
    const sources = await Promise.all(
      stories.map(async (story) => (await readFile(`${folder}${story}--${theme}.png`)).toString('base64')),
    )
    const page = await browser.newPage({
      viewport: { width: shot.width * stories.length, height: shot.height },
      deviceScaleFactor: shot.scale,
    })
    const pictures = sources.map((source) => `<img width="${shot.width}" src="data:image/png;base64,${source}">`)
    await page.setContent(`<body style="margin:0;display:flex">${pictures.join('')}`)
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
    await page.screenshot({ path: `${images}postern-${theme}.png` })
    await page.close()
  }
}
