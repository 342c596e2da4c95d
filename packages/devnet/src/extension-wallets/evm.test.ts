import { createEvmWallet } from '@postern/evm-wallet/evm-wallet'
import { connectNode } from '@postern/evm-wallet/node'
import type { Question } from '@postern/evm-wallet/question'
import {
  createPublicClient,
  encodeFunctionData,
  http,
  isHex,
  numberToHex,
  parseEther,
  toHex,
  verifyMessage,
  verifyTypedData,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { devnetToken } from '../evm/contracts.gen'
import { freePorts } from '../http/free-ports'
import { devnetMnemonic } from '../mnemonic'
import { devnetAccounts, devnetContracts } from '../networks'
import { type Devnet, startDevnet } from '../start-devnet'
import { parseWalletOptions, readScriptOptions, type WalletOptionsInput } from './options'

const ports = await freePorts('evm', 'evmTwo')
const one = { chainId: 31337, name: 'One', rpcUrl: `http://127.0.0.1:${ports.evm}` }
const two = { chainId: 31338, name: 'Two', rpcUrl: `http://127.0.0.1:${ports.evmTwo}` }
const addressOf = (index: number) => {
  const account = devnetAccounts[index]
  if (account === undefined) throw new Error('no such account')
  return account.address
}
const [ada, bob] = [addressOf(0), addressOf(1)]

/** Records all questions and events. */
function setUp(options: WalletOptionsInput = {}, stored: { value: string | null } = { value: null }) {
  const questions: Question[] = []
  const events: [string, unknown][] = []
  const owner: { answer: (question: Question) => boolean | Promise<boolean> } = { answer: () => true }
  const wallet = createEvmWallet({
    options: parseWalletOptions({ networks: [one, two], ...options }),
    accountAt: (addressIndex) => mnemonicToAccount(devnetMnemonic, { addressIndex }),
    storage: {
      read: () => stored.value,
      write(value) {
        stored.value = value
      },
    },
    ask: async (question, signal) => {
      questions.push(question)
      return await Promise.race([
        owner.answer(question),
        new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ])
    },
    connectNode,
    origin: 'https://dapp.example',
  })
  for (const event of ['accountsChanged', 'chainChanged', 'disconnect', 'connect'])
    wallet.provider.on(event, (data) => events.push([event, data]))
  const request = (method: string, params?: unknown) => wallet.provider.request({ method, params })
  const refusal = (method: string, params?: unknown) =>
    request(method, params).then(
      (result) => Promise.reject(new Error(`expected a refusal, got ${JSON.stringify(result)}`)),
      (error: unknown) => error,
    )
  return { ...wallet, questions, events, owner, stored, request, refusal }
}

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())

describe('1. accounts visible to a dapp', () => {
  test('no account until the user approves', async () => {
    const { request, refusal, events } = setUp()
    expect(await request('eth_accounts')).toEqual([])
    expect(await refusal('personal_sign', [toHex('hello'), ada])).toMatchObject({ code: 4100 })
    expect(await request('eth_requestAccounts')).toEqual([ada])
    expect(await request('eth_accounts')).toEqual([ada])
    expect(events).toEqual([['accountsChanged', [ada]]])
  })

  test('no account while locked, and the same one once unlocked', async () => {
    const { request, refusal, events, controls } = setUp()
    await request('eth_requestAccounts')
    controls.lock()
    expect(await request('eth_accounts')).toEqual([])
    expect(await refusal('personal_sign', [toHex('hello'), ada])).toMatchObject({ code: 4100 })
    controls.unlock()
    expect(events.map(([, data]) => data)).toEqual([[ada], [], [ada]])
  })

  test('a locked wallet asks to unlock, then to connect', async () => {
    const { request, questions } = setUp({ locked: true })
    expect(await request('eth_requestAccounts')).toEqual([ada])
    expect(questions.map(({ title, approve }) => [title, approve])).toEqual([
      ['Unlock the wallet', 'Unlock'],
      ['Connect to this site', undefined],
    ])
  })

  test('only the visible account signs', async () => {
    const { request, refusal } = setUp()
    await request('eth_requestAccounts')
    expect(await refusal('personal_sign', [toHex('hello'), bob])).toMatchObject({ code: 4100 })
    expect(await refusal('eth_sendTransaction', [{ from: bob, to: ada }])).toMatchObject({ code: 4100 })
  })

  test('more than one account is visible, the active one first, and each signs', async () => {
    const { request, controls } = setUp({ others: [1] })
    expect(await request('eth_requestAccounts')).toEqual([ada, bob])
    const signature = await request('personal_sign', [toHex('hello'), bob])
    if (!isHex(signature)) throw new Error('Not a signature')
    expect(await verifyMessage({ address: bob, message: 'hello', signature })).toBe(true)
    controls.switchAccount(1)
    expect(await request('eth_accounts')).toEqual([bob])
  })

  test('revoking permission hides the account', async () => {
    const { request, events } = setUp()
    await request('wallet_requestPermissions', [{ eth_accounts: {} }])
    expect(await request('wallet_getPermissions')).toMatchObject([{ parentCapability: 'eth_accounts' }])
    expect(await request('wallet_revokePermissions', [{ eth_accounts: {} }])).toBeNull()
    expect(await request('wallet_getPermissions')).toEqual([])
    expect(events.at(-1)).toEqual(['accountsChanged', []])
  })
})

describe('2. asking the user', () => {
  const typedData = {
    types: { Mail: [{ name: 'contents', type: 'string' }] },
    primaryType: 'Mail',
    domain: { name: 'Post', chainId: 31337 },
    message: { contents: 'hello' },
  }

  test.each([
    ['personal_sign', [toHex('hello'), ada]],
    ['eth_signTypedData_v4', [ada, JSON.stringify(typedData)]],
    ['eth_sendTransaction', [{ from: ada, to: bob, value: '0x1' }]],
    ['wallet_switchEthereumChain', [{ chainId: numberToHex(31338) }]],
  ])('%s asks, and a rejection is 4001', async (method, params) => {
    const { request, refusal, owner, questions } = setUp()
    await request('eth_requestAccounts')
    owner.answer = () => false
    expect(await refusal(method, params)).toMatchObject({ code: 4001 })
    expect(questions).toHaveLength(2)
  })

  test('rejecting a connection grants no permission', async () => {
    const { request, refusal, owner, events } = setUp()
    owner.answer = () => false
    expect(await refusal('eth_requestAccounts')).toMatchObject({ code: 4001 })
    expect(await request('eth_accounts')).toEqual([])
    expect(events).toEqual([])
  })

  test('a second connection question is -32002 while the first is open', async () => {
    const { request, refusal, owner } = setUp()
    let allow: (yes: boolean) => void = () => {}
    owner.answer = () => new Promise((resolve) => (allow = resolve))
    const first = request('eth_requestAccounts')
    expect(await refusal('eth_requestAccounts')).toMatchObject({ code: -32002 })
    allow(true)
    expect(await first).toEqual([ada])
  })

  test('shows the text to sign, and the account’s signature verifies', async () => {
    const { request, questions } = setUp()
    await request('eth_requestAccounts')
    const signature = await request('personal_sign', [toHex('Grüße ✓'), ada])
    expect(questions.at(-1)?.raw).toBe('Grüße ✓')
    expect(typeof signature === 'string' && signature.startsWith('0x')).toBe(true)
    expect(await verifyMessage({ address: ada, message: 'Grüße ✓', signature: `0x${`${signature}`.slice(2)}` })).toBe(
      true,
    )
  })

  test('signs typed data by EIP-712, for the active chain only', async () => {
    const { request, refusal } = setUp()
    await request('eth_requestAccounts')
    const signature = await request('eth_signTypedData_v4', [ada, JSON.stringify(typedData)])
    const good = await verifyTypedData({
      address: ada,
      types: { Mail: [{ name: 'contents', type: 'string' }] },
      primaryType: 'Mail',
      domain: { name: 'Post', chainId: 31337 },
      message: { contents: 'hello' },
      signature: `0x${`${signature}`.slice(2)}`,
    })
    expect(good).toBe(true)
    const other = { ...typedData, domain: { ...typedData.domain, chainId: 1 } }
    expect(await refusal('eth_signTypedData_v4', [ada, JSON.stringify(other)])).toMatchObject({ code: -32602 })
  })

  test('sends what it showed: mined, with the same amount', async () => {
    const { request, questions } = setUp()
    await request('eth_requestAccounts')
    const client = createPublicClient({ transport: http(one.rpcUrl), pollingInterval: 20 })
    const before = await client.getBalance({ address: bob })
    const hash = await request('eth_sendTransaction', [{ from: ada, to: bob, value: toHex(parseEther('0.5')) }])
    const receipt = await client.waitForTransactionReceipt({ hash: `0x${`${hash}`.slice(2)}` })
    expect(receipt.status).toBe('success')
    expect((await client.getBalance({ address: bob })) - before).toBe(parseEther('0.5'))
    expect(questions.at(-1)?.rows).toContainEqual({ label: 'Amount', value: '0.5 ETH' })
  })

  test('a transaction that would revert fails with the node’s error before asking', async () => {
    const { request, refusal, questions } = setUp()
    await request('eth_requestAccounts')
    const data = encodeFunctionData({
      abi: devnetToken.abi,
      functionName: 'transfer',
      args: [bob, parseEther('1000000')],
    })
    const error = await refusal('eth_sendTransaction', [{ from: ada, to: devnetContracts.gem, data }])
    expect(error).toMatchObject({
      code: 3,
      message: expect.stringMatching(/revert/i),
      data: expect.stringMatching(/^0x/),
    })
    expect(questions).toHaveLength(1)
  })

  test('auto-approval asks nothing', async () => {
    const { request, questions } = setUp({ autoApprove: true })
    await request('eth_requestAccounts')
    await request('personal_sign', [toHex('hello'), ada])
    expect(questions).toEqual([])
  })
})

describe('3. events', () => {
  test('account and chain changes fire once each', async () => {
    const { request, events, controls } = setUp()
    await request('eth_requestAccounts')
    controls.switchAccount(1)
    controls.switchAccount(1)
    controls.switchChain(31338)
    await request('wallet_switchEthereumChain', [{ chainId: '0x7a6a' }])
    expect(events).toEqual([
      ['accountsChanged', [ada]],
      ['accountsChanged', [bob]],
      ['chainChanged', '0x7a6a'],
    ])
  })

  test('a dapp without permission hears of no account', async () => {
    const { events, controls } = setUp()
    controls.switchAccount(1)
    expect(events).toEqual([])
  })

  test('a removed listener hears nothing', async () => {
    const { request, provider, events, controls } = setUp()
    await request('eth_requestAccounts')
    const heard: unknown[] = []
    const listener = (data: unknown) => heard.push(data)
    provider.on('accountsChanged', listener)
    provider.removeListener('accountsChanged', listener)
    controls.switchAccount(2)
    expect(heard).toEqual([])
    expect(events).toHaveLength(2)
  })

  test('a change in another tab is heard here', async () => {
    const here = setUp()
    const other = setUp()
    await here.request('eth_requestAccounts')
    await other.request('eth_requestAccounts')
    await other.request('wallet_revokePermissions', [{ eth_accounts: {} }])
    here.adopt(other.stored.value)
    here.adopt('not JSON')
    expect(await here.request('eth_accounts')).toEqual([])
    expect(here.events.at(-1)).toEqual(['accountsChanged', []])
  })
})

describe('4. invalid requests and chains', () => {
  test.each([
    [undefined, -32600],
    [{}, -32600],
    [{ method: 7 }, -32600],
    [{ method: 'eth_accounts', params: 'x' }, -32600],
    [{ method: 'eth_sign', params: [] }, 4200],
    [{ method: 'constructor' }, 4200],
    [{ method: '__proto__' }, 4200],
    [{ method: 'personal_sign', params: [] }, -32602],
    [{ method: 'eth_signTypedData_v4', params: [ada, '{'] }, -32602],
    [{ method: 'eth_sendTransaction', params: [{ from: 'ada' }] }, -32602],
    [{ method: 'wallet_switchEthereumChain', params: [{ chainId: 31338 }] }, -32602],
    [{ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] }, 4902],
  ])('%j is %i', async (args, code) => {
    const { provider } = setUp()
    await expect(provider.request(args)).rejects.toMatchObject({ code })
  })

  const addTwo = {
    chainId: '0x7a6a',
    chainName: 'Two',
    rpcUrls: [two.rpcUrl],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  }

  test('an unknown chain can be added and becomes active', async () => {
    const { request, refusal } = setUp({ networks: [one] })
    expect(await refusal('wallet_switchEthereumChain', [{ chainId: '0x7a6a' }])).toMatchObject({ code: 4902 })
    expect(await request('wallet_addEthereumChain', [addTwo])).toBeNull()
    expect(await request('eth_chainId')).toBe('0x7a6a')
  })

  test('a chain whose endpoint serves another chain is not added', async () => {
    const { refusal, request } = setUp({ networks: [one] })
    expect(await refusal('wallet_addEthereumChain', [{ ...addTwo, rpcUrls: [one.rpcUrl] }])).toMatchObject({
      code: -32602,
    })
    expect(await request('eth_chainId')).toBe('0x7a69')
  })

  test('reads go to the active chain’s node', async () => {
    const { request, controls } = setUp()
    expect(await request('eth_getBalance', [devnetContracts.dollar, 'latest'])).toBe('0x0')
    controls.switchChain(31338)
    expect(await request('eth_getBlockByNumber', ['0x0', false])).toMatchObject({ number: '0x0' })
  })
})

test('5. pending and later requests to a vanished wallet fail with 4900', async () => {
  const { refusal, owner, controls, events, request } = setUp()
  owner.answer = () => new Promise(() => {})
  const open = refusal('eth_requestAccounts')
  controls.vanish()
  expect(await open).toMatchObject({ code: 4900 })
  await expect(request('eth_accounts')).rejects.toMatchObject({ code: 4900 })
  expect(events).toMatchObject([['disconnect', { code: 4900 }]])
})

test('6. permission, account and chain survive a reload, but invalid stored state is ignored', async () => {
  const first = setUp()
  await first.request('eth_requestAccounts')
  first.controls.switchAccount(3)
  first.controls.switchChain(31338)
  const second = setUp({}, { value: first.stored.value })
  expect(await second.request('eth_accounts')).toEqual([addressOf(3)])
  expect(await second.request('eth_chainId')).toBe('0x7a6a')
  expect(second.questions).toEqual([])
  const third = setUp({}, { value: '{"permitted":"yes"}' })
  expect(await third.request('eth_accounts')).toEqual([])
})

describe('readScriptOptions', () => {
  beforeEach(() => expect.hasAssertions())

  test('reads flags, numbers and networks', () => {
    const dataset = {
      name: 'N',
      rdns: 'a.b',
      account: '2',
      legacy: '',
      announce: 'false',
      networks: JSON.stringify([one]),
    }
    expect(readScriptOptions(dataset)).toMatchObject({
      name: 'N',
      account: 2,
      legacy: true,
      announce: false,
      networks: [one],
    })
  })

  test.each([{ account: 'ten' }, { legacy: 'maybe' }, { networks: '[]' }, { icon: 'https://x/y.png' }])(
    'rejects %j',
    (dataset) => {
      expect(() => readScriptOptions(dataset)).toThrow(/options are not valid/)
    },
  )
})
