/**
 * Renders every scenario to `gallery/` at the repository root, and checks accessibility. `npm run gallery -- connect
 * arabic` limits it; `--readme` draws the README's picture.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import AxeBuilder from '@axe-core/playwright'
import { type Browser, chromium, devices, type Page } from '@playwright/test'
import { build, preview } from 'vite'
import english from '../../../packages/ui/src/locales/en.json' with { type: 'json' }
import { cataloguePlugin } from '../../../scripts/vite/catalogue-plugin'
import { speak, type TextKey } from '../../wallet/src/window/say'
import germanWindow from '../../wallet/src/window/text/de.json'
import { composeReadme, readmeShots } from './readme'
import { type Setting, settings } from './settings'
import { stories } from './stories/stories'
import { type WindowStep, windowStories } from './stories/window'

const folder = fileURLToPath(new URL('../../../gallery/', import.meta.url))
const port = 4630
const isReadme = process.argv.includes('--readme')
const only = isReadme ? readmeShots : process.argv.slice(2)

type Shot = { readonly story: string; readonly setting: Setting; readonly file: string }

const shots: readonly Shot[] = settings.flatMap((setting) =>
  (setting.stories ?? [...Object.keys(stories), ...Object.keys(windowStories)])
    .filter((story) => isPhone(setting) || stories[story]?.phone !== true)
    .filter(
      (story) =>
        only.length === 0 || only.some((part) => part === setting.name || `${story}--${setting.name}`.startsWith(part)),
    )
    .map((story) => ({ story, setting, file: `${story}--${setting.name}.png` })),
)

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const configFile = here('../vite.config.ts')
const outDir = await mkdtemp(`${tmpdir()}/postern-gallery-`)
const output = { outDir, emptyOutDir: false, sourcemap: false } as const
await build({
  configFile,
  logLevel: 'warn',
  build: { ...output, rolldownOptions: { input: here('./index.html') } },
})
// As in production, the wallet's pages share no file with the modal's.
await build({
  configFile: false,
  root: here('..'),
  logLevel: 'warn',
  plugins: [cataloguePlugin()],
  build: { ...output, assetsInlineLimit: 0, rolldownOptions: { input: here('./window.html') } },
})
await build({
  configFile: false,
  root: here('..'),
  logLevel: 'warn',
  plugins: [cataloguePlugin()],
  build: {
    ...output,
    target: 'esnext',
    assetsInlineLimit: 0,
    rolldownOptions: { input: here('./approval.html') },
  },
})
const server = await preview({ configFile, build: { outDir }, preview: { port, host: '127.0.0.1', strictPort: true } })
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const browser = await chromium.launch({
  executablePath,
  // Containers and root lack user namespaces; only the gallery is opened.
  args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
})
try {
  if (only.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const setting of settings) await shootSetting(browser, setting)
  if (isReadme) await composeReadme(browser, folder)
  if (only.length === 0) await writeFile(`${folder}index.html`, contactSheet(shots))
  process.stdout.write(`${shots.length} pictures in ${folder}\n`)
} finally {
  await browser.close()
  await server.close()
  await rm(outDir, { recursive: true, force: true })
}

async function shootSetting(browser: Browser, setting: Setting): Promise<void> {
  for (const phone of [false, true]) {
    const own = shots.filter(({ story, setting: of }) => of === setting && (stories[story]?.phone ?? false) === phone)
    await shootAll(browser, setting, own, phone ? devices['Pixel 7'].userAgent : undefined)
  }
}

async function shootAll(browser: Browser, setting: Setting, own: readonly Shot[], userAgent?: string): Promise<void> {
  if (own.length === 0) return
  const context = await browser.newContext({
    viewport: { width: setting.width, height: setting.height },
    deviceScaleFactor: setting.scale ?? 1.5,
    reducedMotion: 'reduce',
    forcedColors: setting.forcedColors ? 'active' : 'none',
    hasTouch: isPhone(setting),
    ...(userAgent !== undefined && { userAgent }),
    locale: setting.locale ?? 'en',
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => process.stderr.write(`${setting.name}: ${error.message}\n`))
  for (const shot of own) {
    const taken = windowStories[shot.story] === undefined ? shoot(page, shot) : shootWindow(page, shot)
    await taken.catch((error: unknown) => {
      process.stderr.write(`${shot.file}: ${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 1
    })
  }
  await context.close()
}

async function shoot(page: Page, { story, setting, file }: Shot): Promise<void> {
  const { theme, locale = 'en', direction = '', dapp = '' } = setting
  const query = new URLSearchParams({ story, theme, locale, direction, dapp })
  await page.goto(`http://127.0.0.1:${port}/gallery/?${query}`)
  const dialog = page.getByRole('dialog')
  await dialog.waitFor({ timeout: 10_000 })
  await page.waitForFunction((wanted) => document.documentElement.lang === wanted, locale)
  const { fill = [], press = [], type, awaits, ready } = stories[story] ?? {}
  for (const [field, text] of fill) await dialog.getByRole('textbox').nth(field).fill(text)
  for (const pressed of press) {
    const name = await translated(pressed, locale)
    await dialog.getByRole('button', { name }).or(dialog.getByRole('tab', { name })).first().click()
  }
  if (type !== undefined) await dialog.getByRole('searchbox').fill(type)
  if (type !== undefined) await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  // The patterns are in English and German.
  if (setting.locale !== undefined && setting.locale !== 'de')
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  else {
    if (awaits !== undefined) await dialog.getByText(awaits).first().waitFor()
    if (ready !== undefined) await dialog.getByRole('button', { name: ready, disabled: false }).waitFor()
  }
  if (stories[story]?.drawn !== undefined) await untilDrawn(page)
  const snackbar = stories[story]?.snapshot.snackbar
  if (snackbar) await page.getByText(snackbar.text).waitFor()
  await take(page, file)
  if (isChecked(setting) || stories[story]?.phone === true) await checkAccess(page, file, '[role=dialog]')
}

/** Approve is enabled when everything is in view. */
async function untilDrawn(page: Page): Promise<void> {
  const frame = page.frameLocator('#postern-wallet-frame').getByRole('main')
  await frame.waitFor({ timeout: 10_000 })
  const fits = await frame.evaluate((main) => main.scrollHeight <= main.clientHeight + 1)
  const approve = frame.getByRole('button', { name: /^(Approve|Freigeben)$/ })
  const isReading = (await frame.locator('[aria-busy=true]').count()) > 0
  if (fits && !isReading && (await approve.count()) > 0)
    await frame.getByRole('button', { name: /^(Approve|Freigeben)$/, disabled: false }).waitFor()
  await frame.evaluate(() => document.fonts.ready.then(() => undefined))
}

async function shootWindow(page: Page, { story, setting, file }: Shot): Promise<void> {
  const { theme, locale = 'en' } = setting
  const told = windowStories[story]
  if (told === undefined) return
  const say = locale === 'de' ? speak(germanWindow) : speak()
  await page.goto(`http://127.0.0.1:${port}/gallery/window.html?${new URLSearchParams({ story, theme, locale })}`)
  for (const step of told.steps ?? []) await takeStep(page, step, say)
  await page.getByText(say(told.awaits)).first().waitFor()
  await take(page, file, true)
  if (isChecked(setting)) await checkAccess(page, file, '#wallet-window')
}

async function takeStep(page: Page, step: WindowStep, say: (key: TextKey, values?: { what: string }) => string) {
  if ('choose' in step) return page.locator(`label:has(input[value=${step.choose}])`).click()
  if ('type' in step) return page.getByLabel(say(step.type), { exact: true }).fill(step.text)
  const { press, what } = step
  const name = what === undefined ? say(press) : say(press, { what: say(what) })
  await page.getByRole('button', { name, exact: true }).click()
}

async function take(page: Page, file: string, fullPage = false): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))))
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  await page.mouse.move(0, 0)
  await page.screenshot({ path: `${folder}${file}`, fullPage })
}

function isChecked({ name }: Setting): boolean {
  return name === 'light' || name === 'dark'
}

function isPhone({ name }: Setting): boolean {
  return name.startsWith('mobile')
}

/** WCAG 2.2 AA as far as axe can check; violations fail the run. */
async function checkAccess(page: Page, file: string, part: string): Promise<void> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const { violations } = await new AxeBuilder({ page }).include(part).withTags(tags).analyze()
  for (const { id, help, nodes } of violations) {
    process.exitCode = 1
    process.stderr.write(`${file}: ${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join('\n')}\n`)
  }
}

/** Buttons such as "Release ada.postern" match by their first words. */
async function translated(name: string, locale: string): Promise<string> {
  if (locale === 'en') return name
  const texts: Readonly<Record<string, string>> = (
    await import(`../../../packages/ui/src/locales/${locale}.json`, { with: { type: 'json' } })
  ).default
  const same = Object.entries(english).find(([, text]) => text === name)
  if (same !== undefined) return texts[same[0]] ?? name
  for (const [key, text] of Object.entries(english)) {
    const pattern = text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '(.+)')
    const found = new RegExp(`^${pattern}$`).exec(name)
    if (found === null) continue
    const values = found.slice(1)
    return (texts[key] ?? name).replace(/\{\w+\}/g, () => values.shift() ?? '')
  }
  const [first = '', ...rest] = name.split(' ')
  return rest.length === 0 ? name : [await translated(first, locale), ...rest].join(' ')
}

function contactSheet(all: readonly Shot[]): string {
  const figures = (setting: Setting) =>
    all
      .filter((shot) => shot.setting === setting)
      .map(
        ({ file, story }) =>
          `<figure><img src="${file}" alt="" loading="lazy"><figcaption>${story}</figcaption></figure>`,
      )
      .join('\n')
  const sections = settings.map((setting) => `<h2>${setting.name}</h2>\n<div>${figures(setting)}</div>`).join('\n')
  return `<!doctype html>
<meta charset="utf-8"><title>Postern: every view</title>
<style>body{font:14px system-ui;margin:24px}div{display:flex;flex-wrap:wrap;gap:16px}figure{margin:0}img{width:320px;border-radius:8px}</style>
<h1>Every view in every state</h1>
${sections}
`
}
