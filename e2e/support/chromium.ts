import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * How Chromium treats storage of a cross-site frame; checked in `storage.spec.ts`.
 *
 * `denied`: `localStorage` throws and IndexedDB fails, by tracking protection without partitioning. `allowed`: the
 * frame has its own partition.
 */
export type StorageMode = 'denied' | 'allowed'

/** Where Debian and others put Chromium, and the browser without a window that Debian builds from the same source. */
const browserNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const headlessShellNames = ['chromium-headless-shell', 'chrome-headless-shell']

/** `CHROMIUM_PATH`, else the first on the PATH, else Playwright's own (undefined). */
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
  const shell = mode === 'allowed' ? firstOnPath(headlessShellNames, env) : undefined
  const executablePath = shell ?? findChromium(env)
  return { args: chromiumArguments(mode), ...(executablePath !== undefined && { executablePath }) }
}

function firstOnPath(names: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

/** The last `--disable-features` wins, so each mode lists all. */
const features = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  // Browser UI that would take half a second of CPU per context.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
]

const tracking: Record<StorageMode, { readonly enable: readonly string[]; readonly disable: readonly string[] }> = {
  denied: { enable: ['TrackingProtection3pcd'], disable: ['ThirdPartyStoragePartitioning'] },
  allowed: { enable: ['ThirdPartyStoragePartitioning'], disable: ['TrackingProtection3pcd'] },
}

/** For a storage mode. */
export function chromiumArguments(mode: StorageMode): string[] {
  return [
    // Containers and root have no user namespaces for the sandbox; only our own pages are opened.
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    // The default of Chromium, not of its headless shell: a frame of another site has a process of its own.
    '--site-per-process',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // Loopback traffic must not go through a proxy.
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
