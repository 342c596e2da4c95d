import { describe, expect, test } from 'vitest'
import { pageWallet } from '../../testing/page'
import { collectWallets, notifyOnSend } from './collect-wallets'

test('lists all wallets together: the dapp’s own, announced, legacy, Solana and Bitcoin', () => {
  const provider = { request: async () => null, on: () => () => {} }
  const wallets = collectWallets({
    window: Object.assign(new EventTarget(), { ethereum: { request: async () => null } }),
    randomId: () => 'legacy',
    ownProvider: {},
    announced: { found: [{ wallet: { ...pageWallet('eip155', []), id: 'a' }, source: provider, provider }] },
    connectors: [],
    namespaces: () => ({ list: () => [pageWallet('solana', [])], get: (id) => (id === 'w' ? provider : undefined) }),
    onChange() {},
  })
  expect(wallets.list().map(({ id, namespace }) => [id, namespace])).toEqual([
    ['a', 'eip155'],
    ['legacy', 'eip155'],
    ['w', 'solana'],
  ])
  expect([wallets.get('a'), wallets.get('w'), wallets.get('x')]).toEqual([provider, provider, undefined])
  expect(wallets.namespaceOf('w')).toBe('solana')
})

describe('reporting transactions sent in the page to the host', () => {
  async function sent(method: string, params?: unknown, failing = false): Promise<number> {
    let told = 0
    const wallet = {
      request: () => (failing ? Promise.reject(new Error('no')) : Promise.resolve(null)),
      on: () => () => {},
    }
    await notifyOnSend(wallet, () => told++)
      .request({ method, params })
      .catch(() => {})
    return told
  }

  test.each([
    ['eth_sendTransaction', [{}]],
    ['wallet_sendCalls', [{}]],
    ['solana_signAndSendTransaction', [{}]],
    ['bip122_sendTransfer', [{}]],
    ['bip122_signPsbt', [{ broadcast: true }]],
  ])('reports %s', async (method, params) => {
    expect(await sent(method, params)).toBe(1)
    expect(await sent(method, params, true)).toBe(0)
  })

  test.each([
    ['eth_call', [{}]],
    ['personal_sign', ['0x', '0x']],
    ['solana_signTransaction', [{}]],
    ['bip122_signPsbt', [{ broadcast: false }]],
    ['bip122_signPsbt', undefined],
  ])('does not report %s', async (method, params) => {
    expect(await sent(method, params)).toBe(0)
  })
})
