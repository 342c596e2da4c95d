/** RFC 3986. Each pattern matches in one pass. */

const unreserved = 'A-Za-z0-9._~\\-'
const subDelims = "!$&'()*+,;="
const encoded = '%[0-9A-Fa-f]{2}'
const only = (characters: string) => new RegExp(`^(?:[${characters}]|${encoded})*$`)

const userinfo = only(`${unreserved}${subDelims}:`)
const registeredName = only(`${unreserved}${subDelims}`)
const path = only(`${unreserved}${subDelims}:@/`)
const queryOrFragment = only(`${unreserved}${subDelims}:@/?`)
const segment = only(`${unreserved}${subDelims}:@`)
const futureAddress = new RegExp(`^v[0-9A-Fa-f]+\\.[${unreserved}${subDelims}:]+$`, 'i')

const uriParts = /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/
const hostAndPort = /^(\[[^\]]*\]|[^:]*)(?::[0-9]*)?$/

/** `URI`: absolute. */
export function isUri(text: string): boolean {
  const parts = uriParts.exec(text)
  if (parts === null) return false
  const [, authority, hierarchy = '', query = '', fragment = ''] = parts
  return (
    (authority === undefined || isAuthorityWith(isHostOrNone, authority)) &&
    path.test(hierarchy) &&
    queryOrFragment.test(query) &&
    queryOrFragment.test(fragment)
  )
}

/** With a non-empty host. */
export function isAuthority(text: string): boolean {
  return isAuthorityWith((host) => host !== '' && isHostOrNone(host), text)
}

/** `*pchar` */
export function isSegment(text: string): boolean {
  return segment.test(text)
}

function isAuthorityWith(isHost: (host: string) => boolean, text: string): boolean {
  const at = text.lastIndexOf('@')
  const [, host] = hostAndPort.exec(text.slice(at + 1)) ?? []
  return userinfo.test(text.slice(0, Math.max(at, 0))) && host !== undefined && isHost(host)
}

function isHostOrNone(host: string): boolean {
  if (!host.startsWith('[')) return registeredName.test(host)
  const literal = host.slice(1, -1)
  return futureAddress.test(literal) || isIpv6(literal)
}

function isIpv6(text: string): boolean {
  const halves = text.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const isDotted = ipv4.test(text.slice(text.lastIndexOf(':') + 1))
  const count = groups.length + (isDotted ? 1 : 0)
  return (
    (isDotted ? groups.slice(0, -1) : groups).every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group)) &&
    (halves.length === 2 ? count <= 7 : halves.length === 1 && count === 8)
  )
}

const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)
