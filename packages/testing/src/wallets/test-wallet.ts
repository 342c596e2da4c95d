import { announce } from '@postern/evm-wallet/announce'
import { createEvmWallet } from '@postern/evm-wallet/evm-wallet'
import { connectNode } from '@postern/evm-wallet/node'
import { toProviderRpcError } from '@postern/evm-wallet/rpc-error'
import { privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod/mini'
import { createQuestions } from './questions'
import type { Behaviour, LoggedRequest, TestWallet, TestWalletOptions } from './types'

type Entry = Omit<LoggedRequest, 'outcome'> & { outcome: LoggedRequest['outcome'] }

/** Public in each copy of Anvil and Hardhat. */
const anvilKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'%3E%3Crect width='96' height='96' rx='24' fill='%2331506e'/%3E%3Ccircle cx='48' cy='48' r='20' fill='%23fff'/%3E%3C/svg%3E"

const PrivateKey = z.templateLiteral(['0x', z.string().check(z.regex(/^[0-9a-f]{64}$/i))])
const Options = z.strictObject({
  privateKeys: z._default(z.array(PrivateKey).check(z.minLength(1), z.maxLength(10)), [anvilKey]),
  chains: z._default(
    z
      .array(
        z.strictObject({
          id: z.int().check(z.positive()),
          name: z.string().check(z.minLength(1)),
          rpcUrl: z.url({ protocol: /^https?$/ }),
        }),
      )
      .check(z.minLength(1)),
    [{ id: 31337, name: 'Anvil', rpcUrl: 'http://127.0.0.1:8545' }],
  ),
  behaviour: z._default(z.enum(['approve', 'decline', 'wait']), 'approve'),
  name: z._default(z.string().check(z.minLength(1)), 'Test Wallet'),
  rdns: z._default(z.string().check(z.minLength(1)), 'com.example.test-wallet'),
  icon: z._default(z.string().check(z.regex(/^data:image\//)), icon),
})

/**
 * A wallet for tests, with real keys: its signatures and transactions are valid.
 *
 * 1. A dapp sees no account before `eth_requestAccounts`, and the wallet signs only for accounts that it sees (4100).
 * 2. `behave` answers the wallet's questions (connect, sign, send, switch, add): `approve` goes on, `decline` fails
 *    with 4001, `wait` waits for the test to answer `question()`.
 * 3. Reads go to the active chain's node. The node's errors reach the dapp unchanged.
 * 4. `requests` has every request, with its outcome.
 *
 * @example
 * const wallet = createTestWallet({ chains: [{ id: 31337, name: 'Anvil', rpcUrl: 'http://127.0.0.1:8545' }] })
 * wallet.behave('decline', 'personal_sign')
 * const stop = wallet.announce()
 */
export function createTestWallet(options: TestWalletOptions = {}): TestWallet {
  const parsed = z.safeParse(Options, options)
  if (!parsed.success) throw new Error(`The wallet's options are not valid.\n${z.prettifyError(parsed.error)}`)
  const { privateKeys, chains, name, rdns, icon } = parsed.data
  const info = { name, rdns, icon }
  const behaviours = new Map<string, Behaviour>()
  let behaviour: Behaviour = parsed.data.behaviour
  const requests: Entry[] = []
  const questions = createQuestions(() => requests.map(({ method }) => method))

  const { provider, controls } = createEvmWallet({
    options: {
      name,
      account: 0,
      others: [],
      networks: chains.map(({ id, ...chain }) => ({ chainId: id, ...chain })),
      locked: false,
      autoApprove: false,
    },
    accountAt: (index) => privateKeyToAccount(keyAt(index)),
    storage: { read: () => null, write() {} },
    ask(question, signal) {
      const chosen = behaviours.get(question.method) ?? behaviour
      return chosen === 'wait' ? questions.ask(question, signal) : Promise.resolve(chosen === 'approve')
    },
    connectNode,
    origin: globalThis.location?.origin ?? 'http://localhost',
  })

  function keyAt(index: number): `0x${string}` {
    const key = privateKeys[index]
    if (key === undefined) throw new RangeError(`The wallet has ${privateKeys.length} accounts: add a private key.`)
    return key
  }

  const logged: TestWallet['provider'] = {
    async request(args) {
      const entry: Entry = { ...read(args), outcome: { status: 'pending' } }
      requests.push(entry)
      try {
        const result = await provider.request(args)
        entry.outcome = { status: 'fulfilled', result }
        return result
      } catch (error) {
        const { code, message } = toProviderRpcError(error)
        entry.outcome = { status: 'rejected', code, message }
        throw error
      }
    },
    on: provider.on,
    removeListener: provider.removeListener,
  }

  return {
    info,
    provider: logged,
    get address() {
      return controls.snapshot().address
    },
    get chainId() {
      return controls.snapshot().chainId
    },
    get requests() {
      return requests
    },
    behave(next, method) {
      if (method !== undefined) return void behaviours.set(method, next)
      behaviours.clear()
      behaviour = next
    },
    question: (method, { timeoutMs = 10_000 } = {}) => questions.next(method, timeoutMs),
    switchAccount(index) {
      keyAt(index)
      controls.switchAccount(index)
    },
    switchChain: controls.switchChain,
    lock: controls.lock,
    unlock: controls.unlock,
    disconnect: controls.revoke,
    announce: (window = globalThis.window) => announce(window, { ...info, announce: true, legacy: false }, logged),
  }
}

/** A dapp may send anything; the wallet then fails with -32600. */
function read(args: unknown): Omit<LoggedRequest, 'outcome'> {
  if (typeof args !== 'object' || args === null) return { method: '', params: undefined }
  return { method: String(Reflect.get(args, 'method')), params: Reflect.get(args, 'params') }
}
