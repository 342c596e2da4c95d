import { solanaRequests } from '@postern/protocol'
import { describe, expect, test } from 'vitest'
import { fromBase58, fromBase64, toBase58, toBase64 } from '../../adapters/bytes'
import { account, solanaKey, standardWallet } from '../../testing/wallets'
import { adaptSolanaStandard } from './adapt'

const other = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5'
const mine = new Uint8Array(64).fill(7)
const theirs = new Uint8Array(64).fill(9)

function transaction(signatures: readonly Uint8Array[], versioned = false): Uint8Array {
  const keys = [fromBase58(other), fromBase58(solanaKey)].flatMap((key) => [...key])
  const message = [...(versioned ? [128] : []), 2, 0, 0, 2, ...keys, ...new Array<number>(32).fill(5), 0]
  return Uint8Array.from([2, ...signatures.flatMap((signature) => [...signature]), ...message])
}
const unsigned = transaction([theirs, new Uint8Array(64)])
const params = (more: object = {}) => [
  { pubkey: solanaKey, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', ...more },
]

function setUp(accounts: readonly object[] = [account(solanaKey)], connectError?: unknown) {
  const signed = transaction([theirs, mine])
  const wallet = standardWallet(
    'Sol',
    {
      'standard:connect': {
        connect(input: { silent?: boolean } | undefined) {
          if (connectError !== undefined) throw connectError
          return { accounts: input?.silent === true ? [] : [account(solanaKey), account('bc1q', 'bitcoin:mainnet')] }
        },
      },
      'standard:disconnect': { disconnect: () => undefined },
      'solana:signMessage': { signMessage: () => ({ signature: mine, signedMessage: new Uint8Array() }) },
      'solana:signTransaction': { signTransaction: () => ({ signedTransaction: signed }) },
      'solana:signAndSendTransaction': { signAndSendTransaction: () => ({ signature: mine }) },
    },
    { accounts, chains: ['solana:mainnet', 'solana:devnet'] },
  )
  return { ...wallet, signed, provider: adaptSolanaStandard(wallet.wallet) }
}

describe('1. accounts', () => {
  test('connecting prompts, and returns only Solana addresses', async () => {
    const { provider, asked } = setUp([])
    const answer = await provider.request({ method: 'solana_requestAccounts' })
    expect(solanaRequests.solana_requestAccounts.result.parse(answer)).toEqual([{ pubkey: solanaKey }])
    expect(asked).toEqual([['standard:connect']])
  })

  test('returns exposed accounts without a call', async () => {
    const { provider, asked } = setUp()
    expect(await provider.request({ method: 'solana_getAccounts' })).toEqual([{ pubkey: solanaKey }])
    expect(asked).toEqual([])
  })

  test('otherwise asks silently; a refusal means no account', async () => {
    const { provider, asked } = setUp([])
    expect(await provider.request({ method: 'solana_getAccounts' })).toEqual([])
    expect(asked).toEqual([['standard:connect', { silent: true }]])
    expect(await setUp([], new Error('no')).provider.request({ method: 'solana_getAccounts' })).toEqual([])
  })
})

describe('2. signing', () => {
  test('signs a message', async () => {
    const { provider, asked, wallet } = setUp()
    const answer = await provider.request({
      method: 'solana_signMessage',
      params: params({ message: toBase58(Uint8Array.of(0, 1)) }),
    })
    expect(solanaRequests.solana_signMessage.result.parse(answer)).toEqual({ signature: toBase58(mine) })
    expect(asked).toEqual([['solana:signMessage', { account: wallet.accounts[0], message: Uint8Array.of(0, 1) }]])
  })

  test('6. tells which bytes a wallet signed that changes the message', async () => {
    const { provider, wallet } = setUp()
    const sign = (signedMessage?: Uint8Array) => {
      wallet.features['solana:signMessage'] = { signMessage: () => [{ signature: mine, signedMessage }] }
      const message = toBase58(Uint8Array.of(0, 1))
      return provider.request({ method: 'solana_signMessage', params: params({ message }) })
    }
    const prefixed = Uint8Array.of(255, 115, 0, 1)
    expect(solanaRequests.solana_signMessage.result.parse(await sign(prefixed))).toEqual({
      signature: toBase58(mine),
      signedMessage: toBase58(prefixed),
    })
    for (const same of [Uint8Array.of(0, 1), new Uint8Array(), undefined])
      expect(await sign(same)).toEqual({ signature: toBase58(mine) })
  })

  test.each([false, true])(
    '4. signs a transaction, and returns the account’s own signature (versioned: %s)',
    async (versioned) => {
      const { provider, asked, wallet } = setUp()
      wallet.features['solana:signTransaction'] = {
        signTransaction: async (input: unknown) => {
          asked.push(['solana:signTransaction', input])
          return [{ signedTransaction: transaction([theirs, mine], versioned) }]
        },
      }
      const answer = await provider.request({
        method: 'solana_signTransaction',
        params: params({ transaction: toBase64(unsigned) }),
      })
      expect(solanaRequests.solana_signTransaction.result.parse(answer)).toEqual({
        signature: toBase58(mine),
        transaction: toBase64(transaction([theirs, mine], versioned)),
      })
      expect(asked).toEqual([
        ['solana:signTransaction', { account: wallet.accounts[0], transaction: unsigned, chain: 'solana:mainnet' }],
      ])
    },
  )

  test('5. signs several transactions in one call', async () => {
    const { provider, asked } = setUp()
    const answer = await provider.request({
      method: 'solana_signAllTransactions',
      params: params({ transactions: [toBase64(unsigned), toBase64(unsigned)] }),
    })
    expect(solanaRequests.solana_signAllTransactions.result.parse(answer).transactions).toHaveLength(2)
    expect(asked).toHaveLength(1)
  })

  test('signs and sends, with options, on the requested network', async () => {
    const { provider, asked } = setUp()
    const answer = await provider.request({
      method: 'solana_signAndSendTransaction',
      params: params({
        network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
        transaction: toBase64(unsigned),
        sendOptions: { skipPreflight: true },
      }),
    })
    expect(solanaRequests.solana_signAndSendTransaction.result.parse(answer)).toEqual({ signature: toBase58(mine) })
    expect(asked[0]?.[1]).toMatchObject({ chain: 'solana:devnet', options: { skipPreflight: true } })
  })

  test.each(['solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K', 'solana:unknown', ''])(
    '3. signs nothing on the network %j, which has no standard name',
    async (network) => {
      const { provider, asked } = setUp()
      const request = provider.request({
        method: 'solana_signAndSendTransaction',
        params: params({ network, transaction: toBase64(unsigned) }),
      })
      await expect(request).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
      expect(asked).toEqual([])
    },
  )

  test('3. uses the wallet’s first network by default', async () => {
    const { provider, asked } = setUp()
    await provider.request({ method: 'solana_signTransaction', params: [{ transaction: toBase64(unsigned) }] })
    expect(asked[0]?.[1]).toMatchObject({ chain: 'solana:mainnet' })
    expect(fromBase64(toBase64(unsigned))).toEqual(unsigned)
  })
})

describe('failures', () => {
  test.each([
    ['an account that the wallet does not share', { pubkey: other, message: 'a' }, 4100],
    ['a message that is not base58', { message: '0OIl' }, -32602],
  ])('%s', async (_, more, rpc) => {
    const { provider, asked } = setUp()
    await expect(provider.request({ method: 'solana_signMessage', params: params(more) })).rejects.toMatchObject({
      rpc,
    })
    expect(asked).toEqual([])
  })

  test.each([
    [
      { code: 4001, message: 'User rejected the request.' },
      { code: 'USER_REJECTED', rpc: 4001 },
    ],
    [new Error('User rejected the request.'), { code: 'USER_REJECTED', rpc: 4001 }],
    [new Error('device disconnected'), { code: 'INTERNAL', rpc: -32603, message: 'device disconnected' }],
    ['plain words', { code: 'INTERNAL', message: 'plain words' }],
  ])('the wallet’s %s keeps its message and gets a number', async (thrown, expected) => {
    const { provider } = setUp([], thrown)
    await expect(provider.request({ method: 'solana_requestAccounts' })).rejects.toMatchObject(expected)
  })

  test.each([['solana_signMessage'], ['solana_signTransaction'], ['solana_signAndSendTransaction']])(
    'rejects a result of %s that is not bytes',
    async (method) => {
      const { provider, wallet } = setUp()
      for (const name of Object.keys(wallet.features)) {
        const member = name.slice(name.indexOf(':') + 1)
        if (member.startsWith('sign'))
          wallet.features[name] = { [member]: async () => [{ signature: 'x', signedTransaction: 7 }] }
      }
      const given = params({ message: 'a', transaction: toBase64(unsigned) })
      await expect(provider.request({ method, params: given })).rejects.toMatchObject({ code: 'INTERNAL' })
    },
  )

  test.each([['solana_steal'], ['solana_constructor'], ['solana___proto__']])('%s is not supported', async (method) => {
    await expect(setUp().provider.request({ method })).rejects.toMatchObject({ code: 'UNSUPPORTED_METHOD', rpc: 4200 })
  })
})

test('accountsChanged follows the wallet until unsubscribed', async () => {
  const { provider, setAccounts, changed } = setUp()
  const heard: unknown[] = []
  const end = provider.on('accountsChanged', (accounts) => heard.push(accounts))
  await Promise.resolve()
  setAccounts([account(other)])
  setAccounts([])
  expect(heard).toEqual([[{ pubkey: other }], []])
  await Promise.resolve()
  end()
  expect(changed.size).toBe(0)
})
