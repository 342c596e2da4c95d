/**
 * Draws every card of the corpora of approvals in `gallery/corpus/`: `npm run gallery -- corpus`. Add `dark`, `ar` or
 * `phone` for one setting.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { build, preview } from 'vite'
import { cataloguePlugin } from '../../../scripts/vite/catalogue-plugin'

const folder = fileURLToPath(new URL('../../../gallery/corpus/', import.meta.url))
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const port = 4631
const words = process.argv.slice(2)
const isPhone = words.includes('phone')
const theme = words.includes('dark') ? 'dark' : 'light'
const locale = words.find((word) => !['phone', 'dark'].includes(word)) ?? 'en'
const count = isPhone ? 5 : 10

const outDir = await mkdtemp(`${tmpdir()}/postern-corpus-`)
await build({
  configFile: false,
  root: here('..'),
  logLevel: 'warn',
  plugins: [cataloguePlugin()],
  build: { outDir, emptyOutDir: false, target: 'esnext', rolldownOptions: { input: here('./corpus.html') } },
})
const server = await preview({
  configFile: false,
  build: { outDir },
  preview: { port, host: '127.0.0.1', strictPort: true },
})
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
})
try {
  await mkdir(folder, { recursive: true })
  const page = await browser.newPage({
    viewport: { width: isPhone ? 320 : 1568, height: isPhone ? 5 * 614 : 1224 },
    reducedMotion: 'reduce',
  })
  page.on('pageerror', ({ message }) => {
    process.exitCode = 1
    process.stderr.write(`${message}\n`)
  })
  for (let from = 0, all = 1; from < all; from += count) {
    const query = new URLSearchParams({ from: `${from}`, count: `${count}`, theme, locale })
    await page.goto(`http://127.0.0.1:${port}/gallery/corpus.html?${query}`)
    const cards = await page.waitForFunction(() => document.documentElement.dataset['cards'])
    all = Number(await cards.jsonValue())
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    const name = [`${from + 1}`.padStart(3, '0'), theme, locale, ...(isPhone ? ['phone'] : [])].join('-')
    await page.screenshot({ path: `${folder}${name}.png` })
  }
} finally {
  await browser.close()
  await server.close()
  await rm(outDir, { recursive: true, force: true })
}
