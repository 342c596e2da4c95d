/** Calls of the admin API. Checked responses: a console of another version says so. */
import * as z from 'zod/mini'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

export type Api = {
  get<T extends z.ZodMiniType>(path: string, schema: T): Promise<z.output<T>>
  send<T extends z.ZodMiniType>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    schema: T,
    body?: unknown,
  ): Promise<z.output<T>>
}

const Failure = z.object({ reasons: z.array(z.object({ name: z.string(), description: z.string() })) })

/** @param token null to sign in. @param onRefused the gateway no longer accepts the token. */
export function createApi(token: string | null, onRefused: () => void): Api {
  async function call<T extends z.ZodMiniType>(
    method: string,
    path: string,
    schema: T,
    body?: unknown,
  ): Promise<z.output<T>> {
    const response = await fetch(`/admin/v1${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new ApiError(0, 'The gateway does not answer')
    })
    const value: unknown = await response.json().catch(() => null)
    if (!response.ok) {
      if (response.status === 401) onRefused()
      const [reason] = Failure.safeParse(value).data?.reasons ?? []
      throw new ApiError(response.status, reason?.description ?? `The gateway answered ${response.status}`)
    }
    const parsed = schema.safeParse(value)
    if (!parsed.success) throw new ApiError(0, 'This console does not match the gateway. Reload the page')
    return parsed.data
  }
  return {
    get: (path, schema) => call('GET', path, schema),
    send: (method, path, schema, body) => call(method, path, schema, body),
  }
}
