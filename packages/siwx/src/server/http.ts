/** Responses like the gateway's. Errors: `{status: 'error', reasons: [{name, description}]}`. */
import { readText } from '../read-text'

export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    readonly status: number,
    readonly reason: string,
    description: string,
  ) {
    super(description)
  }
}

/** Node's types have no global `HeadersInit`. */
type HeadersInput = ConstructorParameters<typeof Headers>[0]

const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export function answer(status: number, body: unknown, headers: HeadersInput = {}): Response {
  const all = new Headers({ ...always, 'content-type': 'application/json' })
  for (const [name, value] of new Headers(headers)) all.append(name, value)
  return new Response(JSON.stringify(body), { status, headers: all })
}

export function refusal({ status, reason, message }: Refusal, headers: HeadersInput = {}): Response {
  return answer(status, { status: 'error', reasons: [{ name: reason, description: message }] }, headers)
}

/**
 * `{}` without a body. Reads at most `maxBytes`, whatever length is declared.
 * @throws {Refusal} 413, 400, 415 (not JSON, which another site could send without a preflight)
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const isTooLong = Number(request.headers.get('content-length') ?? 0) > maxBytes
  const text = isTooLong ? null : await readText(request.body, maxBytes)
  if (text === null) throw new Refusal(413, 'BODY_TOO_LONG', `The body is over ${maxBytes} bytes`)
  if (text === '') return {}
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json')
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'MALFORMED', 'The body is not JSON')
  }
}
