import { hexOf } from '@postern/chains/hex'
import type { Field, IntentStep } from './intent'
import { grantsOf } from './recap'

const opening =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\S+) wants you to sign in with your [A-Za-z0-9 ]{1,32} account:\n(\S+)\n/i
const fieldLine = /^(URI|Version|Chain ID|Nonce|Issued At|Expiration Time|Not Before|Request ID): (.*)$/

/** Hex unless UTF-8 without control characters, which could hide content. */
export function readMessage(bytes: Uint8Array): IntentStep {
  const text = textOf(bytes)
  if (text === null) return { kind: 'message', text: `0x${hexOf(bytes)}`, isText: false }
  return readSignIn(text) ?? { kind: 'message', text, isText: true }
}

/** EIP-4361, or CAIP-122 of other namespaces. */
function readSignIn(text: string): IntentStep | null {
  const [head = '', scheme, domain, account] = opening.exec(text) ?? []
  if (domain === undefined || account === undefined) return null
  const lines = text.slice(head.length).split('\n')
  const at = lines.findIndex((line) => fieldLine.test(line))
  const statement = lines
    .slice(0, at === -1 ? lines.length : at)
    .join('\n')
    .trim()
  const fields: Field[] = []
  const resources: { readonly name: string; readonly value: string }[] = []
  for (const line of at === -1 ? [] : lines.slice(at)) {
    const [, name, value] = fieldLine.exec(line) ?? []
    if (name !== undefined && value !== undefined) fields.push({ name, value })
    else if (line.startsWith('- ')) resources.push({ name: `${resources.length + 1}`, value: line.slice(2) })
    else if (line.trim() !== '' && line !== 'Resources:') fields.push({ name: '', value: line })
  }
  const grants = grantsOf(resources.map(({ value }) => value))
  return {
    kind: 'signIn',
    ...(scheme !== undefined && { scheme }),
    domain,
    account,
    ...(statement !== '' && { statement }),
    ...(grants.length > 0 && { grants }),
    fields: resources.length > 0 ? [...fields, { name: 'Resources', value: resources }] : fields,
  }
}

/** Controls except tab and line ends, format characters except the emoji joiner: they change how text reads. */
const treacherous = /(?![\t\n\r\u200d])[\p{Cc}\p{Cf}]/u

function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return treacherous.test(text) ? null : text
  } catch {
    return null
  }
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
