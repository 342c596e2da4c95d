import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { ApiError, createApi } from './api'

afterEach(() => vi.unstubAllGlobals())

/** @param answer what the gateway sends. */
function apiThat(answer: () => Promise<Response>) {
  const onRefused = vi.fn()
  const sent = vi.fn(answer)
  vi.stubGlobal('fetch', sent)
  return { api: createApi('the-token', onRefused), onRefused, sent }
}

const Name = z.object({ name: z.string() })

describe('the API client', () => {
  test('sends the token in its header alone, and checks the answer', async () => {
    const { api, sent } = apiThat(async () => Response.json({ name: 'ann' }))
    expect(await api.send('PATCH', '/projects/demo', Name, { name: 'x' })).toEqual({ name: 'ann' })
    expect(sent.mock.calls).toEqual([
      [
        '/admin/v1/projects/demo',
        {
          method: 'PATCH',
          headers: { Authorization: 'Bearer the-token', 'Content-Type': 'application/json' },
          body: '{"name":"x"}',
        },
      ],
    ])
    await expect(api.get('/me', z.object({ role: z.string() }))).rejects.toThrow('does not match the gateway')
  })

  test('repeats what the gateway says', async () => {
    const reasons = [{ name: 'role', description: 'Only an admin may change this' }]
    const { api, onRefused } = apiThat(async () => Response.json({ reasons }, { status: 403 }))
    await expect(api.get('/me', Name)).rejects.toEqual(new ApiError(403, 'Only an admin may change this'))
    expect(onRefused).not.toHaveBeenCalled()
  })

  test('tells of a refused token, and of a gateway that does not answer', async () => {
    const refused = apiThat(async () => Response.json({ reasons: [] }, { status: 401 }))
    await expect(refused.api.get('/me', Name)).rejects.toMatchObject({ status: 401 })
    expect(refused.onRefused).toHaveBeenCalledOnce()
    const silent = apiThat(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(silent.api.get('/me', Name)).rejects.toThrow('The gateway does not answer')
    const broken = apiThat(async () => new Response('<html>', { status: 502 }))
    await expect(broken.api.get('/me', Name)).rejects.toThrow('The gateway answered 502')
  })
})
