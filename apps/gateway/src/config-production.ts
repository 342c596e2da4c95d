/** What production requires: no default may lose data, keys or emails. */
import type { CaipNetworkId } from '@postern/protocol'
import { builtInUpstreams } from '@postern/protocol/networks/upstreams.gen'
import type { Log } from './platform/log/log'
import { places } from './platform/settings/places'

type Environment = Readonly<Record<string, string | undefined>>

/** Each problem as a sentence with the fix. @param env without empty variables. */
export function productionProblems(env: Environment): string[] {
  const problems: string[] = []
  for (const [name, example] of [
    ['MODAL_ORIGIN', 'https://modal.example.com'],
    ['WALLET_ORIGIN', 'https://wallet.example.com'],
  ] as const) {
    const origin = env[name]
    if (origin === undefined) problems.push(`${name} must be set in production, such as ${example}`)
    else if (URL.canParse(origin) && !isSecure(origin)) problems.push(`${name} must be https in production`)
  }
  if (env.DATABASE_URL === undefined && env.POSTERN_DATA === undefined) {
    problems.push(
      'DATABASE_URL must be set in production: a postgresql:// URL. For one process with the embedded database, set POSTERN_DATA to a folder that is backed up instead',
    )
  }
  if (env.POSTERN_SECRETS === undefined) {
    problems.push(`POSTERN_SECRETS must be set in production: \`${places.command} secrets FILE\` makes them`)
  }
  if (env.SMTP_URL === undefined) {
    problems.push(
      'SMTP_URL must be set in production, such as smtps://user:password@mail.example.com. `off` turns sign-in by email off',
    )
  } else if (env.SMTP_URL === 'terminal') {
    problems.push('SMTP_URL must be a mail server in production: `terminal` would show the codes of users in the log')
  }
  if (env.SMTP_URL !== 'off' && env.MAIL_FROM === undefined) {
    problems.push('MAIL_FROM must be set in production, such as `My dapp <sign-in@example.com>`')
  }
  if (env.WALLETCONNECT_RELAY_URL?.startsWith('ws:')) {
    problems.push('WALLETCONNECT_RELAY_URL must be wss in production')
  }
  return problems
}

/** Public endpoints limit callers, and a gateway's visitors are one caller. */
export function warnOfPublicUpstreams(
  networks: readonly { readonly id: CaipNetworkId; readonly upstreams: readonly string[] }[],
  log: Pick<Log, 'warn'>,
): void {
  const open = networks.filter(({ id, upstreams }) => builtInUpstreams[id] === upstreams).map(({ id }) => id)
  if (open.length === 0) return
  log.warn(
    { networks: open },
    'these networks use public endpoints, which are slow and limited. Name your own in POSTERN_NETWORKS',
  )
}

/** Browsers treat `localhost` and its subdomains as secure. */
function isSecure(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}
