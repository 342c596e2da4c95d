/** Debian's Firefox, which Playwright drives by WebDriver BiDi. */
import type { Browser } from '@playwright/test'
import type { StorageMode } from './chromium'

/** Preferences of every visit. `firefox-esr` is not where Playwright looks. */
export const firefoxOptions = (mode: StorageMode, env: NodeJS.ProcessEnv = process.env) => ({
  executablePath: env.FIREFOX_PATH || '/usr/bin/firefox-esr',
  firefoxUserPrefs: {
    // With a process per site, BiDi's pointer events do not reach a frame of another site.
    'fission.autostart': false,
    'ui.prefersReducedMotion': 1,
    // 5 gives a cross-site frame a partition of its own (Firefox's default), 1 denies it storage.
    'network.cookie.cookieBehavior': mode === 'allowed' ? 5 : 1,
  },
})

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function member(value: unknown, name: string): unknown {
  if (!isObject(value)) throw new Error(`Playwright's internals have changed: no object with ${name}.`)
  return Reflect.get(value, name)
}

/**
 * Answers the one BiDi command that Playwright 1.65 sends for each context and page, and that Firefox 153 does not know.
 * The settings that it would emulate are preferences above. Remove this once Firefox knows the command.
 */
export function withoutMediaEmulation(browser: Browser): void {
  const connection = member(browser, '_connection')
  const toServer = member(connection, 'toImpl')
  if (typeof toServer !== 'function') throw new Error('Playwright’s internals have changed: no toImpl.')
  const session = member(toServer(browser), '_browserSession')
  if (!isObject(session)) throw new Error('Playwright’s internals have changed: no session.')
  const shared: unknown = Object.getPrototypeOf(session)
  const send = member(shared, 'send')
  if (!isObject(shared) || typeof send !== 'function') throw new Error('Playwright’s internals have changed: no send.')
  Reflect.set(shared, 'send', function (this: unknown, method: string, ...rest: unknown[]): unknown {
    return method === 'emulation.setMediaFeaturesOverride'
      ? Promise.resolve({})
      : Reflect.apply(send, this, [method, ...rest])
  })
}
