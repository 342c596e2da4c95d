import type { PageWallet } from '@postern/protocol'
import { isPosternError } from './errors'
import { originsUrl, refusalOf } from './modal/origin-check'
import type { Diagnosis } from './types'

/** A file of the host, with the hash that it had when the SDK was built. */
export type HostFile = { readonly url: string; readonly integrity: string }

export type DiagnoseOptions = {
  readonly window: Window & typeof globalThis
  readonly origin: string
  readonly projectId: string
  /** Found by the time that the host was asked. */
  readonly wallets: () => readonly PageWallet[]
  readonly hostFiles: readonly HostFile[]
  readonly ask: () => Promise<unknown>
}

/** Never rejects: a check that cannot run counts as failed. */
export async function diagnose(options: DiagnoseOptions): Promise<readonly Diagnosis[]> {
  const violations: string[] = []
  const onViolation = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    if (blockedURI.startsWith(options.origin)) violations.push(effectiveDirective)
  }
  const { document } = options.window
  document.addEventListener('securitypolicyviolation', onViolation)
  const [gateway, host, files] = await Promise.all([askGateway(options), askHost(options), checkFiles(options)])
  document.removeEventListener('securitypolicyviolation', onViolation)
  return [...page(options), ...gateway, policy(violations, options.origin), ...host, ...files]
}

function page({ window, projectId, ...options }: DiagnoseOptions): Diagnosis[] {
  const wallets = options.wallets()
  const storage = storageError(window)
  const isolated = window.crossOriginIsolated
  return [
    {
      check: 'secure context',
      ok: window.isSecureContext,
      detail: window.isSecureContext ? window.origin : `${window.origin} is not secure`,
      fix: 'Serve the page over https, or from localhost.',
    },
    {
      check: 'project id',
      ok: projectId !== '',
      detail: projectId === '' ? 'No project id is configured' : projectId,
      fix: 'Set projectId to the id of your project.',
    },
    {
      check: 'page storage',
      ok: storage === undefined,
      detail: storage ?? 'localStorage works',
      fix: 'Allow storage for this page, so that connections last until the next visit.',
    },
    {
      check: 'cross-origin isolation',
      ok: true,
      detail: isolated ? 'The page is cross-origin isolated; popups of wallets may lose their opener' : 'Not isolated',
    },
    {
      check: 'page wallets',
      ok: true,
      detail:
        wallets.length === 0
          ? 'None found'
          : wallets.map(({ name, rdns, key }) => `${name} (${rdns ?? key ?? 'legacy'})`).join(', '),
    },
  ].map(withoutNeedlessFix)
}

async function askGateway({ window, origin, projectId }: DiagnoseOptions): Promise<Diagnosis[]> {
  const reachable = {
    check: 'host reachable',
    fix: `Check that ${origin} is up, and that the page's connect-src allows it.`,
  }
  const allowed = {
    check: 'origin allowed',
    fix: `Add ${window.origin} to the allowed origins of project "${projectId}".`,
  }
  try {
    const response = await window.fetch(originsUrl(origin, projectId), { credentials: 'omit' })
    const refusal = response.ok ? undefined : (refusalOf(await response.text())?.message ?? `HTTP ${response.status}`)
    return [
      { check: reachable.check, ok: true, detail: origin },
      { ...allowed, ok: refusal === undefined, detail: refusal ?? window.origin },
    ].map(withoutNeedlessFix)
  } catch (error) {
    return [
      { ...reachable, ok: false, detail: `${origin}: ${String(error)}` },
      { ...allowed, ok: false, detail: 'Unknown: the host cannot be reached' },
    ]
  }
}

/** Does the host still serve the code that this build was made with? */
async function checkFiles({ window, hostFiles }: DiagnoseOptions): Promise<Diagnosis[]> {
  if (hostFiles.length === 0) return []
  const fetched = hostFiles.map(({ url, integrity }) => window.fetch(url, { integrity, credentials: 'omit' }))
  const outcomes = await Promise.allSettled(fetched)
  const changed = hostFiles.filter((_, at) => outcomes[at]?.status === 'rejected').map(({ url }) => url)
  const ok = changed.length === 0
  return [
    withoutNeedlessFix({
      check: 'published code',
      ok,
      detail: ok
        ? `${hostFiles.length} files have their published hash`
        : `Changed or not reached: ${changed.join(', ')}`,
      fix: 'Reload the page. If it stays, compare the host with its release: npm run release:verify.',
    }),
  ]
}

function policy(violations: readonly string[], origin: string): Diagnosis {
  const ok = violations.length === 0
  return withoutNeedlessFix({
    check: 'content security policy',
    ok,
    detail: ok ? 'The host is not blocked' : `Blocked by ${[...new Set(violations)].join(', ')}`,
    fix: `Allow ${origin} in the page's frame-src and connect-src.`,
  })
}

async function askHost({ ask }: DiagnoseOptions): Promise<Diagnosis[]> {
  try {
    const answer = await ask()
    const checks = Array.isArray(answer) ? answer.filter(isCheck) : []
    return [{ check: 'frame', ok: true, detail: 'The modal responds' }, ...checks]
  } catch (error) {
    const detail = isPosternError(error) ? `${error.code}: ${error.message}` : String(error)
    return [{ check: 'frame', ok: false, detail, fix: 'See the checks above, and docs/reference/errors.md.' }]
  }
}

function isCheck(value: unknown): value is Diagnosis {
  if (typeof value !== 'object' || value === null || !('check' in value && 'ok' in value && 'detail' in value))
    return false
  return typeof value.check === 'string' && typeof value.ok === 'boolean' && typeof value.detail === 'string'
}

function withoutNeedlessFix({ fix, ...diagnosis }: Diagnosis): Diagnosis {
  return diagnosis.ok || fix === undefined ? diagnosis : { ...diagnosis, fix }
}

function storageError(window: Window): string | undefined {
  const key = '@postern/probe'
  try {
    window.localStorage.setItem(key, '')
    window.localStorage.removeItem(key)
    return undefined
  } catch (error) {
    return String(error)
  }
}
