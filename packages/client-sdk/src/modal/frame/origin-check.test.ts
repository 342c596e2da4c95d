import { describe, expect, test } from 'vitest'
import { checkOrigin } from './origin-check'

const body = (description: string) => JSON.stringify({ status: 'error', reasons: [{ name: 'origin', description }] })

function gateway(answer: () => Response) {
  const asked: [string, RequestInit | undefined][] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push([String(url), init])
    return answer()
  }
  return { asked, ask: () => checkOrigin({ fetch }, 'https://modal.example', 'my id&x') }
}

describe('finding out why a frame is silent', () => {
  test('asks the gateway as this page, without cookies (spec §6, §7)', async () => {
    const { ask, asked } = gateway(() => new Response('{"allowedOrigins":[]}'))
    expect(await ask()).toBeUndefined()
    expect(asked).toEqual([
      ['https://modal.example/projects/v1/origins?projectId=my+id%26x&st=page', { credentials: 'omit' }],
    ])
  })

  test.each([
    ['Unauthorized: origin not allowed', 403, 'ORIGIN_NOT_ALLOWED'],
    ['Unauthorized: invalid key', 401, 'INVALID_PROJECT_ID'],
  ])('%s', async (description, status, code) => {
    const { ask } = gateway(() => new Response(body(description), { status }))
    expect(await ask()).toMatchObject({ name: 'PosternError', code })
  })

  test('is unreachable if the gateway fails or cannot be reached', async () => {
    expect(await gateway(() => new Response('Bad gateway', { status: 502 })).ask()).toBe('unreachable')
    const { ask } = gateway(() => {
      throw new TypeError('Failed to fetch')
    })
    expect(await ask()).toBe('unreachable')
  })
})
