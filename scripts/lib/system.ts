/** System programs for the tests, from Debian's packages: browsers and PostgreSQL. */
import { existsSync, readdirSync } from 'node:fs'
import { run } from './process'
import { step } from './step'

const onPath = (name: string) =>
  (process.env.PATH ?? '').split(':').some((folder) => folder !== '' && existsSync(`${folder}/${name}`))

const hasChromium = () => process.env.CHROMIUM_PATH !== undefined || onPath('chromium') || onPath('chromium-browser')

const hasHeadlessShell = () => process.env.CHROMIUM_PATH !== undefined || onPath('chromium-headless-shell')

const hasPostgres = () =>
  onPath('postgres') ||
  (existsSync('/usr/lib/postgresql') &&
    readdirSync('/usr/lib/postgresql').some((version) => existsSync(`/usr/lib/postgresql/${version}/bin/postgres`)))

/** Engines beside Chromium, by Playwright project; `webkit` needs a display and a window manager. */
const enginePackages = {
  firefox: [['firefox-esr', () => process.env.FIREFOX_PATH !== undefined || onPath('firefox-esr')]],
  webkit: [
    ['webkit2gtk-driver', () => onPath('WebKitWebDriver')],
    ['xvfb', () => onPath('Xvfb')],
    ['openbox', () => onPath('openbox')],
  ],
} as const satisfies Record<string, readonly (readonly [name: string, isInstalled: () => boolean])[]>

export type Engine = keyof typeof enginePackages

/** Playwright projects beside those of Chromium. */
export const engineProjects = ['firefox', 'firefox-denied', 'webkit'] as const

/** The engines of projects such as `firefox-denied`. */
export const enginesOf = (projects: readonly string[]): Engine[] =>
  (['firefox', 'webkit'] as const).filter((engine) => projects.some((project) => project.startsWith(engine)))

async function aptInstall(packages: readonly string[]): Promise<void> {
  const apt = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const get = (...parameters: string[]) => {
    const [command = 'apt-get', ...rest] = [...apt, 'apt-get', ...parameters]
    return run(command, rest, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
  }
  await get('update', '-qq')
  await get('install', '-y', '-qq', '--no-install-recommends', ...packages)
}

/** Installs missing programs. Without apt, the error says what to install. */
export async function ensureSystem(engines: readonly Engine[] = []): Promise<void> {
  const missing = [
    ...(hasChromium() ? [] : ['chromium']),
    ...(hasHeadlessShell() ? [] : ['chromium-headless-shell']),
    ...(hasPostgres() ? [] : ['postgresql']),
    ...engines.flatMap((engine) => enginePackages[engine].flatMap(([name, has]) => (has() ? [] : [name]))),
  ]
  await ensurePackages(missing)
}

/** Debian's program that shifts the date of another one. */
export const ensureFaketime = () => ensurePackages(onPath('faketime') ? [] : ['faketime'])

async function ensurePackages(missing: readonly string[]): Promise<void> {
  if (missing.length === 0) return
  await step(`Installing ${missing.join(', ')} with apt-get`, async () => {
    try {
      await aptInstall(missing)
    } catch (error) {
      throw new Error(
        `The tests need ${missing.join(', ')}, and apt-get could not install it. Install it and try again.`,
        {
          cause: error,
        },
      )
    }
  })
}
