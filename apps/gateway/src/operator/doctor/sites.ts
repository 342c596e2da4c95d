/** Checks the origins as a visitor's browser meets them. */
import ipaddr from 'ipaddr.js'
import { commonHeaders, type HeaderTable, refusalPageHeaders, walletWindowHeaders } from '../../platform/html/headers'
import { parseIpAddress } from '../../platform/http/ip-address'
import { ownedDomain } from '../../platform/http/registrable-domain'
import { type Finding, failure, ok, reasonOf, warning } from './finding'

export type SiteChecks = {
  /** Rejects if the name has no address. */
  readonly addresses: (host: string) => Promise<readonly string[]>
  /** @returns end of validity in epoch ms, and why the certificate is not trusted. */
  readonly certificate: (
    host: string,
    port: number,
  ) => Promise<{ readonly until: number; readonly problem: string | null }>
  readonly fetch: typeof fetch
  /** Epoch ms. */
  readonly now: () => number
}

type Origins = {
  readonly production: boolean
  readonly modalOrigin: string
  readonly walletOrigin: string
  /** To check the wallet's page, which needs a project. */
  readonly projectId?: string | undefined
}

const dayMs = 86_400_000
const renewDays = 21

export async function checkSites(origins: Origins, checks: SiteChecks): Promise<Finding[]> {
  const { modalOrigin, walletOrigin } = origins
  const found = await Promise.all([
    checkApart(origins, checks),
    ...[modalOrigin, walletOrigin].flatMap((origin) => [
      checkAddress(origins, new URL(origin), checks),
      checkCertificate(new URL(origin), checks),
      checkReady(origins, origin, checks),
    ]),
    checkHeaders(`${modalOrigin}/`, { ...commonHeaders('modal', origins.production), ...refusalPageHeaders }, checks),
    checkWalletHeaders(origins, checks),
  ])
  return found
}

async function checkAddress({ production }: Origins, { hostname }: URL, { addresses }: SiteChecks): Promise<Finding> {
  const what = `DNS ${hostname}`
  const found = await addresses(hostname).catch(() => [])
  if (found.length === 0) return failure(what, 'has no address: add an A or AAAA record for it')
  const inside = production ? found.filter((text) => isPrivate(text)) : []
  if (inside.length > 0) {
    return warning(what, `is ${inside.join(', ')}, which visitors outside cannot reach: publish a public address`)
  }
  return ok(what, found.join(', '))
}

function isPrivate(text: string): boolean {
  const address = parseIpAddress(text)
  return address === null || ipaddr.process(address.toString()).range() !== 'unicast'
}

const isLoopback = (hostname: string) => /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

async function checkCertificate({ hostname, port, protocol }: URL, checks: SiteChecks): Promise<Finding> {
  const what = `TLS ${hostname}`
  if (protocol !== 'https:')
    return isLoopback(hostname)
      ? ok(what, 'browsers need none on this machine')
      : warning(what, 'the origin is http: browsers need https except on localhost')
  try {
    const { until, problem } = await checks.certificate(hostname, port === '' ? 443 : Number(port))
    const days = Math.floor((until - checks.now()) / dayMs)
    if (days < 0) return failure(what, `the certificate expired on ${dayOf(until)}: renew it`)
    if (problem !== null) {
      return failure(
        what,
        `browsers refuse the certificate (${problem}): install one for this name with its whole chain`,
      )
    }
    if (days < renewDays) return warning(what, `the certificate expires on ${dayOf(until)}: check its renewal`)
    return ok(what, `the certificate is valid until ${dayOf(until)}`)
  } catch (error) {
    return failure(what, `no TLS connection (${reasonOf(error)}): start the proxy and open its port`)
  }
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

async function checkReady({ production }: Origins, origin: string, checks: SiteChecks): Promise<Finding> {
  const what = `gateway ${new URL(origin).host}`
  try {
    const { status } = await get(`${origin}/ready`, checks)
    if (status === 200) return ok(what, 'answers and reaches its database')
    return failure(
      what,
      status === 503
        ? 'does not reach its database: check DATABASE_URL and the database'
        : `/ready answers ${status}: make the proxy pass all paths to the gateway`,
    )
  } catch (error) {
    const fix = production ? 'start it, and point the proxy to it' : 'start it'
    return failure(what, `does not answer (${reasonOf(error)}): ${fix}`)
  }
}

/** A proxy that changes `Host` can serve the wallet on the modal's origin. */
async function checkApart(
  { production, modalOrigin, walletOrigin, projectId = '' }: Origins,
  checks: SiteChecks,
): Promise<Finding> {
  const what = 'two origins'
  const [modal, wallet] = [new URL(modalOrigin).hostname, new URL(walletOrigin).hostname]
  if (modal === wallet) return failure(what, 'are one host: give WALLET_ORIGIN a host name of its own')
  try {
    const { status } = await get(`${modalOrigin}/window?projectId=${encodeURIComponent(projectId)}`, checks)
    if (status === 200) {
      return failure(what, `${modal} serves the wallet’s page: make the proxy pass on the Host header`)
    }
  } catch {
    // `checkReady` reports it.
  }
  if (production && ownedDomain(modal) !== ownedDomain(wallet)) {
    return warning(what, `${modal} and ${wallet} look like two sites: browsers then ask visitors twice for permissions`)
  }
  return ok(what, `${modal} and ${wallet}`)
}

async function checkWalletHeaders(
  { production, walletOrigin, projectId }: Origins,
  checks: SiteChecks,
): Promise<Finding> {
  if (projectId === undefined) {
    const { host } = new URL(walletOrigin)
    return warning(`headers ${host}/window`, 'not checked: name a project with --project')
  }
  const url = `${walletOrigin}/window?projectId=${encodeURIComponent(projectId)}`
  return checkHeaders(url, { ...commonHeaders('wallet', production), ...walletWindowHeaders }, checks, 200)
}

/** The proxy must pass the headers unchanged, and add none that stops frames. */
async function checkHeaders(
  url: string,
  expected: HeaderTable,
  checks: SiteChecks,
  expectedStatus?: number,
): Promise<Finding> {
  const { host, pathname } = new URL(url)
  const what = `headers ${host}${pathname}`
  try {
    const { headers, status } = await get(url, checks)
    if (expectedStatus !== undefined && status !== expectedStatus) {
      return failure(what, `the page answers ${status}: check the id of the project, and that the wallet is built`)
    }
    const changed = Object.entries(expected).flatMap(([name, value]) => (headers.get(name) === value ? [] : [name]))
    if (changed.length > 0) {
      return failure(what, `${changed.join(', ')} not as the gateway sends: let the proxy neither remove nor change it`)
    }
    if (headers.has('X-Frame-Options')) {
      return failure(what, 'X-Frame-Options is added, so dapps cannot show the modal: remove it from the proxy')
    }
    return ok(what, 'as the gateway sends them')
  } catch (error) {
    return failure(what, `not read (${reasonOf(error)}): see the lines above`)
  }
}

function get(url: string, checks: SiteChecks): Promise<Response> {
  return checks.fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
}
