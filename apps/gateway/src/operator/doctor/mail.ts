/** Checks the DNS records by which mail servers trust the sender's domain. */
import { ownedDomain } from '../../platform/http/registrable-domain'
import { type Finding, failure, ok, warning } from './finding'

export type MailChecks = {
  /** TXT records, each joined; rejects or is empty without one. */
  readonly txt: (name: string) => Promise<readonly string[]>
  /** Of the DKIM key. Default: the usual ones. */
  readonly dkimSelector?: string | undefined
}

const usualSelectors = ['default', 'mail', 'dkim', 'google', 'selector1', 'selector2', 's1', 's2', 'k1', 'k2', 'smtp']

/** @param mail `from`: `Name <address>` or an address. */
export async function checkMail(
  mail: 'terminal' | { readonly from: string } | undefined,
  checks: MailChecks,
): Promise<Finding[]> {
  if (mail === undefined) return [warning('mail', 'no mail server in SMTP_URL: visitors cannot sign in by email')]
  if (mail === 'terminal') return [ok('mail', 'the terminal of the gateway shows it')]
  const { from } = mail
  const domain = /@([^<>@\s]+?)>?$/.exec(from)?.[1] ?? ''
  const txt = async (name: string) => checks.txt(name).catch(() => [])
  return Promise.all([checkSpf(domain, txt), checkDkim(domain, txt, checks.dkimSelector), checkDmarc(domain, txt)])
}

type Txt = MailChecks['txt']

async function checkSpf(domain: string, txt: Txt): Promise<Finding> {
  const what = `SPF ${domain}`
  const records = (await txt(domain)).filter((record) => /^v=spf1(?: |$)/i.test(record))
  const [record] = records
  if (record === undefined) {
    return failure(what, 'no record: add a TXT record such as `v=spf1 include:<your mail service> -all`')
  }
  if (records.length > 1) return failure(what, `${records.length} records, so no record is valid: join them into one`)
  if (/(?:^| )\+?all$/i.test(record)) return failure(what, 'lets every server send: end it with -all')
  return ok(what, record)
}

async function checkDkim(domain: string, txt: Txt, selector: string | undefined): Promise<Finding> {
  const what = `DKIM ${domain}`
  const selectors = selector === undefined ? usualSelectors : [selector]
  const found = await Promise.all(
    selectors.map(async (name) => ({ name, records: (await txt(`${name}._domainkey.${domain}`)).filter(isKey) })),
  )
  const names = found.filter(({ records }) => records.length > 0).map(({ name }) => name)
  if (names.length > 0) return ok(what, `key at ${names.join(', ')}`)
  return selector === undefined
    ? warning(what, 'no key at the usual selectors: give yours with --dkim-selector')
    : failure(what, `no key at ${selector}._domainkey.${domain}: add the TXT record that your mail service names`)
}

/** An empty `p` is a revoked key. */
const isKey = (record: string) => /(?:^|;)\s*p=[^;\s]/.test(record)

/** A subdomain without a record has its parent's (RFC 7489 §6.6.3). */
async function checkDmarc(domain: string, txt: Txt): Promise<Finding> {
  const what = `DMARC ${domain}`
  const labels = domain.split('.')
  const shortest = ownedDomain(domain).split('.').length
  for (let first = 0; labels.length - first >= shortest; first += 1) {
    const at = labels.slice(first).join('.')
    const record = (await txt(`_dmarc.${at}`)).find((text) => /^v=DMARC1\s*(?:;|$)/i.test(text))
    if (record === undefined) continue
    const tag = (name: string) => new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*(\\w+)`, 'i').exec(record)?.[1]?.toLowerCase()
    const policy = (first > 0 ? tag('sp') : undefined) ?? tag('p')
    if (policy === 'quarantine' || policy === 'reject') return ok(what, `${policy}, at _dmarc.${at}`)
    return warning(what, 'does not stop forged emails: change its policy to p=quarantine or p=reject')
  }
  return failure(what, `no record: add a TXT record at _dmarc.${domain} such as \`v=DMARC1; p=quarantine\``)
}
