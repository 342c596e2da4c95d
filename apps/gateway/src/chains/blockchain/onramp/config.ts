/** `POSTERN_ONRAMP`. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import { EndpointUrl, readJsonSetting } from '../../../platform/settings/json-setting'

export type OnRampConfig = {
  readonly api: URL
  readonly page: URL
  readonly keyId: string
  /** Ed25519 or P-256. A `KeyObject` never prints its key. */
  readonly privateKey: KeyObject
  /** Default region, ISO 3166-1 and -2. */
  readonly country: string
  readonly subdivision: string | null
}

export const Country = z.string().check(z.regex(/^[A-Z]{2}$/, 'must be two capital letters, such as US'))
export const Subdivision = z
  .string()
  .check(z.regex(/^[A-Z0-9]{1,3}$/, 'must be 1 to 3 capital letters or digits, such as NY'))

const Endpoint = z.pipe(
  EndpointUrl,
  z.pipe(
    z.transform((text: string) => new URL(text)),
    z
      .instanceof(URL)
      .check(z.refine((url) => url.search === '' && url.hash === '', 'must have no query and no fragment')),
  ),
)

const Key = z.pipe(
  z.string(),
  z.transform((text: string, context): KeyObject => {
    const key = readKey(text)
    if (key !== null) return key
    context.issues.push({
      code: 'custom',
      input: '',
      message: 'must be an Ed25519 or P-256 key: PEM, PKCS #8, or 64 bytes in base64',
    })
    return z.NEVER
  }),
)

/** Defaults: Coinbase's. */
const OnRamp = z.strictObject({
  api: z._default(Endpoint, new URL('https://api.developer.coinbase.com/onramp/v1')),
  page: z._default(Endpoint, new URL('https://pay.coinbase.com/buy/select-asset')),
  keyId: z.string().check(z.minLength(1), z.maxLength(256)),
  privateKey: Key,
  country: z._default(Country, 'US'),
  subdivision: z.optional(Subdivision),
})

/** @param problems one line if invalid, without the value. */
export function readOnRamp(text: string | undefined, production: boolean, problems: string[]): OnRampConfig | null {
  const read = readJsonSetting('POSTERN_ONRAMP', OnRamp, text, problems)
  if (read === undefined) return null
  const { api, page, subdivision = null } = read
  if (production && [api, page].some(({ protocol }) => protocol !== 'https:')) {
    problems.push('POSTERN_ONRAMP must name https URLs in production')
  }
  return { ...read, subdivision }
}

/** PKCS #8 prefix of an Ed25519 seed (RFC 8410 §7). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Coinbase's 64 bytes (seed, public key) in base64, PEM with escaped `\n`, or PKCS #8 in base64. */
function readKey(text: string): KeyObject | null {
  try {
    const key = text.includes('-----BEGIN')
      ? createPrivateKey(text.replaceAll('\\n', '\n'))
      : readBytes(Buffer.from(text, 'base64'))
    const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
    return isP256 || key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}

function readBytes(bytes: Buffer): KeyObject {
  const der = bytes.length === 64 ? Buffer.concat([ed25519Prefix, bytes.subarray(0, 32)]) : bytes
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}
