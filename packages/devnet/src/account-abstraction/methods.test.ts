import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bundler } from './bundler'
import { answerRpc, bundlerMethods } from './methods'

const neverReached = () => Promise.reject(new Error('an invalid request was accepted'))
const bundler: Bundler = {
  send: neverReached,
  estimate: neverReached,
  receipt: neverReached,
  get: neverReached,
  setMode: () => undefined,
}
const methods = bundlerMethods(bundler, 31_337)
const names = Object.keys(methods).filter((name) => !['eth_chainId', 'eth_supportedEntryPoints'].includes(name))

describe('answerRpc', () => {
  test('responds to any params with an error and lets no invalid request through', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names, 'constructor', '__proto__'),
        fc.jsonValue(),
        async (method, params) => {
          const answer = await answerRpc(methods, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
          expect(answer).toMatchObject({
            id: 1,
            error: { code: expect.toSatisfy((code) => [-32601, -32602].includes(code)) },
          })
        },
      ),
    )
  })

  test('refuses a batch', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
    expect(await answerRpc(methods, JSON.stringify([call]))).toMatchObject({ id: null, error: { code: -32600 } })
  })

  test('responds to a body that is not a request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (body) => {
        const answer = await answerRpc(methods, body)
        expect(answer).toHaveProperty('error')
      }),
    )
  })
})
