// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import { failure } from '../shared/errors'
import { type DiagnoseOptions, diagnose } from './diagnose'

const origin = 'https://modal.example'
const files = ['postern-modal.js', 'postern-adapters.js'].map((name) => ({
  url: `${origin}/${name}`,
  integrity: `sha384-${name}`,
}))
const refusal = JSON.stringify({ reasons: [{ name: 'origin', description: 'Unauthorized: origin not allowed' }] })

type Answers = { readonly origins?: () => Response; readonly changed?: string }

/** The checks by name. */
async function checksOf({ origins = () => new Response('{}'), changed }: Answers, more: Partial<DiagnoseOptions> = {}) {
  const fetched: unknown[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input)
    if (url.includes('/projects/v1/origins')) return origins()
    fetched.push([url, init?.integrity])
    // As browsers do if the hash is another one.
    if (changed !== undefined && url.includes(changed)) throw new TypeError('Failed to fetch')
    return new Response('')
  }
  const page = Object.create(window, { fetch: { value: fetch }, isSecureContext: { value: true } })
  const options: DiagnoseOptions = {
    ...{ window: page, origin, projectId: 'demo', wallets: () => [], hostFiles: files },
    ...{ ask: async () => [{ check: 'Gateway', ok: true, detail: 'Responds' }], ...more },
  }
  const checks = await diagnose(options)
  return { fetched, checks, find: (name: string) => checks.find(({ check }) => check === name) }
}

describe('diagnose', () => {
  test('reports no problem on a healthy page, and checks each file by its hash', async () => {
    const { checks, fetched } = await checksOf({})
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    expect(checks.map(({ check }) => check)).toEqual(expect.arrayContaining(['origin allowed', 'frame', 'Gateway']))
    expect(fetched).toEqual(files.map(({ url, integrity }) => [url, integrity]))
  })

  test('names the origin to add, and the project', async () => {
    const { find } = await checksOf({ origins: () => new Response(refusal, { status: 403 }) })
    expect(find('host reachable')).toMatchObject({ ok: true })
    expect(find('origin allowed')).toMatchObject({
      ok: false,
      fix: `Add ${window.origin} to the allowed origins of project "demo".`,
    })
  })

  test('names a file that the host has changed', async () => {
    const { find } = await checksOf({ changed: 'postern-adapters.js' })
    expect(find('published code')).toMatchObject({
      ok: false,
      detail: `Changed or not reached: ${origin}/postern-adapters.js`,
    })
  })

  test('a gateway or a frame that does not respond is a failed check, not an error', async () => {
    const away = () => {
      throw new TypeError('Failed to fetch')
    }
    const ask = () => Promise.reject(failure('LOAD_FAILED'))
    const { find } = await checksOf({ origins: away }, { ask })
    expect(find('host reachable')).toMatchObject({ ok: false, detail: expect.stringContaining('Failed to fetch') })
    expect(find('origin allowed')).toMatchObject({ ok: false, detail: 'Unknown' })
    expect(find('frame')).toMatchObject({ ok: false, detail: expect.stringMatching(/^LOAD_FAILED: /) })
  })
})
