/**
 * Security headers by kind of response; docs/operate/gateway.md explains each.
 *
 * 1. Pages run scripts and load styles and fonts only from this gateway: no inline code, no eval.
 * 2. Only the project's origins may frame the modal page, and only the modal page inside those the wallet page.
 * 3. Pages carry COEP and CORP: a cross-origin isolated dapp can embed them.
 * 4. Other responses cannot be framed or run scripts.
 * 5. Nothing may frame the wallet's window, which finds its frame through its opener.
 * 6. The wallet's worker has no network: code with a whole key cannot send it.
 * 7. The wallet's origin has its own process, apart from the same-site modal's. The modal requests none: starting a
 *    second process costs a sixth of the first opening.
 */
export type HeaderTable = Readonly<Record<string, string>>

export type PageHeaderOptions = {
  readonly production: boolean
  readonly walletOrigin: string
  readonly modalOrigin: string
}

export function commonHeaders(site: 'modal' | 'wallet' | 'unknown', production: boolean): HeaderTable {
  return {
    'X-Content-Type-Options': 'nosniff',
    'X-Permitted-Cross-Domain-Policies': 'none',
    ...(site === 'modal' ? {} : { 'Origin-Agent-Cluster': '?1' }),
    ...(production ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

/** @param frameAncestors empty: not frameable. @param relayUrl null without WalletConnect. */
export function modalPageHeaders(
  frameAncestors: readonly string[],
  relayUrl: string | null,
  options: PageHeaderOptions,
): HeaderTable {
  const { walletOrigin, production } = options
  return {
    ...embeddedPageHeaders,
    // The gateway checks the modal's origin when the wallet frame loads.
    'Referrer-Policy': 'strict-origin',
    'Permissions-Policy': permissionsPolicy({
      // Scans address QR codes; images stay on the page.
      camera: ['self'],
      'clipboard-write': ['self', walletOrigin],
      'publickey-credentials-create': ['self', walletOrigin],
      'publickey-credentials-get': ['self', walletOrigin],
      'storage-access': ['self', walletOrigin],
    }),
    'Content-Security-Policy': policy({
      ...strictSources,
      // Dapps set RPC endpoints at run time; this page holds no secrets. `https:` does not cover the relay's WebSocket
      // (CSP 3 §6.7.2.8).
      'connect-src': [
        "'self'",
        'https:',
        ...(relayUrl === null ? [] : [new URL(relayUrl).origin]),
        ...(production ? [] : loopback),
      ],
      'frame-src': [walletOrigin],
      'frame-ancestors': frameAncestors,
    }),
  }
}

/** Every ancestor is checked (CSP 3 §6.4.2.1). Referer and handshake check that the modal is the direct parent. */
export function walletPageHeaders(frameAncestors: readonly string[], options: PageHeaderOptions): HeaderTable {
  return {
    ...embeddedPageHeaders,
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': permissionsPolicy({
      'clipboard-write': ['self'],
      'publickey-credentials-create': ['self'],
      'publickey-credentials-get': ['self'],
      'storage-access': ['self'],
    }),
    'Content-Security-Policy': policy({
      ...strictSources,
      // Approvals show the network's picture.
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'worker-src': ["'self'"],
      'trusted-types': [workerPolicy],
      'frame-src': ["'none'"],
      'frame-ancestors': frameAncestors.length === 0 ? [] : [options.modalOrigin, ...frameAncestors],
    }),
  }
}

/** The wallet pages' only Trusted Types policy: starts the signing worker. */
const workerPolicy = 'postern-worker'

/** For the window that shows or takes a secret. Another COOP would cut it off from its opener. */
export const walletWindowHeaders: HeaderTable = {
  'Cache-Control': 'no-cache',
  'Cross-Origin-Opener-Policy': 'unsafe-none',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': permissionsPolicy({
    'clipboard-write': ['self'],
    'publickey-credentials-create': ['self'],
    'publickey-credentials-get': ['self'],
  }),
  'Content-Security-Policy': policy({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'worker-src': ["'self'"],
    'frame-src': ["'none'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': [workerPolicy],
  }),
}

/** A worker's own policy: it loads its chunks and connects to nothing. */
export const scriptHeaders: HeaderTable = {
  'Content-Security-Policy': policy({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  }),
  // Pages with COEP start only workers with COEP.
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Referrer-Policy': 'no-referrer',
}

/** Not frameable; style and script from `static/`; keeps its opener. */
export const signInPageHeaders: HeaderTable = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'unsafe-none',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': permissionsPolicy({}),
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy': policy({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'connect-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  }),
}

/** No `frame-ancestors`: the page only shows a reason. */
export const refusalPageHeaders: HeaderTable = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Permissions-Policy': permissionsPolicy({}),
  'Content-Security-Policy': policy({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  }),
}

/** Inert when opened directly, not frameable. */
export const inertHeaders: HeaderTable = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
}

const loopback = ['http://localhost:*', 'http://*.localhost:*', 'http://127.0.0.1:*']

const strictSources: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ["'none'"],
}

const embeddedPageHeaders: HeaderTable = {
  'Cache-Control': 'no-cache',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

function policy(directives: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.length === 0 ? "'none'" : sources.join(' ')}`)
    .join('; ')
}

function permissionsPolicy(allowed: Readonly<Record<string, readonly string[]>>): string {
  const off = [
    'accelerometer',
    'autoplay',
    'camera',
    'clipboard-read',
    'display-capture',
    'fullscreen',
    'geolocation',
    'gyroscope',
    'hid',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'picture-in-picture',
    'screen-wake-lock',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ]
  const closable = ['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get', 'storage-access']
  return [...off, ...closable]
    .map((feature) => {
      const origins = allowed[feature] ?? []
      return `${feature}=(${origins.map((origin) => (origin === 'self' ? 'self' : `"${origin}"`)).join(' ')})`
    })
    .join(', ')
}
