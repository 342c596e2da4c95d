import type { PageWallet } from '@postern/protocol'
import { isPosternError } from '../shared/errors'
import type { Diagnosis } from '../types/index'
import { originsUrl, refusalOf } from './frame/origin-check'

/** `integrity`: at the SDK's build. */
export type HostFile = { readonly url: string; readonly integrity: string }

export type DiagnoseOptions = {
  readonly window: Window & typeof globalThis
  readonly origin: string
  readonly projectId: string
  readonly wallets: () => readonly PageWallet[]
  readonly hostFiles: readonly HostFile[]
  readonly ask: () => Promise<unknown>
}

/** Never rejects: a check that cannot run fails. */
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

function diagnosis(check: string, ok: boolean, detail: string, fix?: string): Diagnosis {
  return { check, ok, detail, ...(!ok && { fix }) }
}

function page({ window, projectId, ...options }: DiagnoseOptions): Diagnosis[] {
  const { isSecureContext, crossOriginIsolated, origin } = window
  const storage = storageError(window)
  const wallets = options.wallets().map(({ name, rdns, key }) => `${name} (${rdns ?? key ?? 'legacy'})`)
  return [
    diagnosis('secure context', isSecureContext, origin, 'Use https or localhost.'),
    diagnosis('project id', projectId !== '', projectId || 'None', 'Set projectId to the id of your project.'),
    diagnosis(
      'page storage',
      storage === undefined,
      storage ?? 'Works',
      'Allow storage, or connections end with the page.',
    ),
    diagnosis(
      'cross-origin isolation',
      true,
      crossOriginIsolated ? 'Isolated: popups may lose their opener' : 'Not isolated',
    ),
    diagnosis('page wallets', true, wallets.join(', ') || 'None found'),
  ]
}

async function askGateway({ window, origin, projectId }: DiagnoseOptions): Promise<Diagnosis[]> {
  const reachable = 'host reachable'
  const allowed = 'origin allowed'
  const add = `Add ${window.origin} to the allowed origins of project "${projectId}".`
  try {
    const response = await window.fetch(originsUrl(origin, projectId), { credentials: 'omit' })
    const refusal = response.ok ? undefined : (refusalOf(await response.text())?.message ?? `HTTP ${response.status}`)
    return [
      diagnosis(reachable, true, origin),
      diagnosis(allowed, refusal === undefined, refusal ?? window.origin, add),
    ]
  } catch (error) {
    return [
      diagnosis(reachable, false, `${origin}: ${String(error)}`, 'Check that it is up, and in connect-src.'),
      diagnosis(allowed, false, 'Unknown', add),
    ]
  }
}

async function checkFiles({ window, hostFiles }: DiagnoseOptions): Promise<Diagnosis[]> {
  if (hostFiles.length === 0) return []
  const fetched = hostFiles.map(({ url, integrity }) => window.fetch(url, { integrity, credentials: 'omit' }))
  const outcomes = await Promise.allSettled(fetched)
  const changed = hostFiles.filter((_, at) => outcomes[at]?.status === 'rejected').map(({ url }) => url)
  const ok = changed.length === 0
  return [
    diagnosis(
      'published code',
      ok,
      ok ? `${hostFiles.length} files as published` : `Changed or not reached: ${changed.join(', ')}`,
      'Reload the page. If it stays, tell the operator.',
    ),
  ]
}

function policy(violations: readonly string[], origin: string): Diagnosis {
  const ok = violations.length === 0
  return diagnosis(
    'content security policy',
    ok,
    ok ? 'Not blocked' : `Blocked by ${[...new Set(violations)].join(', ')}`,
    `Allow ${origin} in frame-src and connect-src.`,
  )
}

async function askHost({ ask }: DiagnoseOptions): Promise<Diagnosis[]> {
  try {
    const answer = await ask()
    const checks = Array.isArray(answer) ? answer.filter(isCheck) : []
    return [diagnosis('frame', true, 'The modal responds'), ...checks]
  } catch (error) {
    const detail = isPosternError(error) ? `${error.code}: ${error.message}` : String(error)
    return [diagnosis('frame', false, detail, 'See the checks above.')]
  }
}

function isCheck(value: unknown): value is Diagnosis {
  if (typeof value !== 'object' || value === null || !('check' in value && 'ok' in value && 'detail' in value))
    return false
  return typeof value.check === 'string' && typeof value.ok === 'boolean' && typeof value.detail === 'string'
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
