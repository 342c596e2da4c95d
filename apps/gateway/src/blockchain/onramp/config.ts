/** Who sells crypto: `POSTERN_ONRAMP`. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import { parseJson } from '../../parse-json'

export type OnRampConfig = {
  /** Of the API, up to `/onramp/v1`. */
  readonly api: URL
  /** Where a visitor buys. */
  readonly page: URL
  readonly keyId: string
  /** Ed25519 or P-256. Printed nowhere: it shows nothing of itself. */
  readonly privateKey: KeyObject
  /** Who is asked for where the caller does not say; ISO 3166-1 and -2. */
  readonly country: string
  readonly subdivision: string | null
}

export const Country = z.string().check(z.regex(/^[A-Z]{2}$/))
export const Subdivision = z.string().check(z.regex(/^[A-Z0-9]{1,3}$/))

const Endpoint = z.pipe(
  z.url({ protocol: /^https?$/ }),
  z.pipe(
    z.transform((text: string) => new URL(text)),
    z
      .instanceof(URL)
      .check(z.refine((url) => url.username === '' && url.password === '' && url.search === '' && url.hash === '')),
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

/** The defaults are Coinbase's own. */
const OnRamp = z.strictObject({
  api: z._default(Endpoint, new URL('https://api.developer.coinbase.com/onramp/v1')),
  page: z._default(Endpoint, new URL('https://pay.coinbase.com/buy/select-asset')),
  keyId: z.string().check(z.minLength(1), z.maxLength(256)),
  privateKey: Key,
  country: z._default(Country, 'US'),
  subdivision: z.optional(Subdivision),
})

/**
 * Null where it is not set: then nothing is sold.
 * @param problems takes one line where it is wrong; of what it holds nothing is repeated.
 */
export function readOnRamp(text: string | undefined, production: boolean, problems: string[]): OnRampConfig | null {
  if (text === undefined) return null
  const parsed = OnRamp.safeParse(parseJson(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    problems.push(`POSTERN_ONRAMP is not right at ${issue?.path.join('.') || 'its beginning'}: ${issue?.message}`)
    return null
  }
  const { api, page, subdivision = null } = parsed.data
  if (production && [api, page].some(({ protocol }) => protocol !== 'https:')) {
    problems.push('POSTERN_ONRAMP must name https URLs in production')
  }
  return { ...parsed.data, subdivision }
}

/** Bytes in front of an Ed25519 seed that make it PKCS #8. Source: RFC 8410 §7. */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** As Coinbase gives it out: 64 bytes (seed and public key) in base64, or a PEM with `\n` written out; or PKCS #8 in base64. */
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
