/**
 * The security headers, one table for each kind of answer. docs/operate/gateway.md explains every line; `headers.test.ts` pins it.
 *
 * 1. No page runs a script, applies a style or loads a font that this gateway did not serve: no inline code, no eval.
 * 2. The modal page can be framed by its project's origins alone, the wallet page by the modal page inside those alone.
 * 3. Pages embed across origins also where the dapp asks for cross-origin isolation (COEP), so they carry COEP and CORP.
 * 4. What is not a page can neither be framed nor run.
 * 5. The wallet's own window is framed by nobody, and keeps the opener that it needs to find its frame.
 * 6. The wallet's worker has no network: what holds a whole key cannot send it.
 * 7. The wallet's origin has a process of its own, apart from the modal's, which is of the same site. (The modal asks for none of its own: the
 *    browser learns of that wish with the page, after it has started a process for its site, and starting another is a sixth of a first opening.)
 */
export type HeaderTable = Readonly<Record<string, string>>

export type PageHeaderOptions = {
  readonly production: boolean
  readonly walletOrigin: string
  readonly modalOrigin: string
}

/** On every answer. */
export function commonHeaders(site: 'modal' | 'wallet' | 'unknown', production: boolean): HeaderTable {
  return {
    'X-Content-Type-Options': 'nosniff',
    'X-Permitted-Cross-Domain-Policies': 'none',
    ...(site === 'modal' ? {} : { 'Origin-Agent-Cluster': '?1' }),
    ...(production ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

/**
 * @param frameAncestors sources of the project, from the protocol's `frameAncestors`; empty means nobody.
 * @param relayUrl of WalletConnect; null where the project does not use it.
 */
export function modalPageHeaders(
  frameAncestors: readonly string[],
  relayUrl: string | null,
  options: PageHeaderOptions,
): HeaderTable {
  const { walletOrigin, production } = options
  return {
    ...embeddedPageHeaders,
    // `strict-origin`: the wallet frame's navigation has to tell the gateway that it is the modal page that frames it.
    'Referrer-Policy': 'strict-origin',
    'Permissions-Policy': permissionsPolicy({
      // For the code of somebody's address; pictures of it never leave the page.
      camera: ['self'],
      'clipboard-write': ['self'],
      'publickey-credentials-create': ['self', walletOrigin],
      'publickey-credentials-get': ['self', walletOrigin],
      'storage-access': ['self', walletOrigin],
    }),
    'Content-Security-Policy': policy({
      ...strictSources,
      // Any https endpoint: a dapp hands in its own RPC endpoints at run time. No secret lives on this page. `https:` covers no
      // WebSocket (CSP 3 §6.7.2.8), so the relay stands beside it, and no other.
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

/**
 * `frame-ancestors` is checked against every ancestor up to the top (CSP 3 §6.4.2.1), so the dapp's origins stand beside the
 * modal's; that the modal page is the one that frames it is checked by its Referer and again by the page's own handshake.
 */
export function walletPageHeaders(frameAncestors: readonly string[], options: PageHeaderOptions): HeaderTable {
  return {
    ...embeddedPageHeaders,
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': permissionsPolicy({
      'publickey-credentials-create': ['self'],
      'publickey-credentials-get': ['self'],
      'storage-access': ['self'],
    }),
    'Content-Security-Policy': policy({
      ...strictSources,
      'img-src': ["'none'"],
      'font-src': ["'none'"],
      'connect-src': ["'self'"],
      'worker-src': ["'self'"],
      'trusted-types': [workerPolicy],
      'frame-src': ["'none'"],
      'frame-ancestors': frameAncestors.length === 0 ? [] : [options.modalOrigin, ...frameAncestors],
    }),
  }
}

/** The one Trusted Types policy of the wallet's pages: it lets the signing worker's own file be started, and no other. */
const workerPolicy = 'postern-worker'

/** The page that shows or takes a secret. `unsafe-none`: with any other value the browser would cut it off from the window that opened it, and so from the frame. */
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

/** Scripts of the build: a worker takes its policy from the answer that it came in. It loads its own chunks and reaches nothing else. */
export const scriptHeaders: HeaderTable = {
  'Content-Security-Policy': policy({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  }),
  // A page with this policy starts no worker without it.
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Referrer-Policy': 'no-referrer',
}

/** Pages of a sign-in that the gateway draws itself: no frame, a style sheet and a script of `static/`, and the window that opened it. */
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

/** Anybody may frame the refusal: it says why, and does nothing else. So it names no `frame-ancestors`. */
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

/** JSON, images and scripts: opened on their own they are inert, and nobody frames them. */
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

/** Everything that a page could ask for and none of ours does is off; `allowed` opens the rest. */
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
