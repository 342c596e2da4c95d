import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * How Chromium treats storage of a cross-site frame.
 * `denied`: `localStorage` throws and IndexedDB fails, as with strict settings; here by tracking protection without partitioning.
 * `allowed`: the frame has a partition of its own. `storage.spec.ts` checks that each mode is what it says.
 */
export type StorageMode = 'denied' | 'allowed'

/** Where Debian and others put Chromium, and the browser without a window that Debian builds from the same source. */
const browserNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const headlessShellNames = ['chromium-headless-shell', 'chrome-headless-shell']

/** The Chromium to test with: `CHROMIUM_PATH`, else the first one on the PATH, else Playwright's own (undefined). */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env.CHROMIUM_PATH || firstOnPath(browserNames, env)
}

/**
 * How Playwright starts Chromium for a storage mode.
 *
 * Tests with partitioned storage run in the headless shell when it is installed: the same engine without the window,
 * with about half of the processor time. It cannot deny storage to a frame, so `denied` needs the whole browser.
 */
export function chromiumLaunchOptions(mode: StorageMode, env: NodeJS.ProcessEnv = process.env) {
  const shell = mode === 'allowed' && !env.CHROMIUM_PATH ? firstOnPath(headlessShellNames, env) : undefined
  const executablePath = shell ?? findChromium(env)
  return { args: chromiumArguments(mode), ...(executablePath !== undefined && { executablePath }) }
}

function firstOnPath(names: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

/** The last `--disable-features` on a command line wins, so each mode names everything that it needs. */
const features = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  // Two pages of the browser's own window, made anew with each context: half a second of a processor that our pages are waiting for.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
]

const tracking: Record<StorageMode, { readonly enable: readonly string[]; readonly disable: readonly string[] }> = {
  denied: { enable: ['TrackingProtection3pcd'], disable: ['ThirdPartyStoragePartitioning'] },
  allowed: { enable: ['ThirdPartyStoragePartitioning'], disable: ['TrackingProtection3pcd'] },
}

/** Command line of Chromium for a storage mode. */
export function chromiumArguments(mode: StorageMode): string[] {
  return [
    // Containers and root have no user namespaces for the sandbox; only pages of this repository are opened.
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // The traffic between two of our own pages on loopback must never meet a proxy.
    '--no-proxy-server',
    `--disable-features=${[...features, ...tracking[mode].disable].join(',')}`,
    ...tracking[mode].enable.map((feature) => `--enable-features=${feature}`),
  ]
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
