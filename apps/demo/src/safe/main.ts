/**
 * Stands in for Safe's own page: frames the demo and responds to Safe's SDK with a devnet account. Development only:
 * its key is public.
 */
import '../dapp/demo.css'
import './safe.css'
import { createWalletClient, hexToString, http, isHex, publicActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

const account = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 7 })
const chain = {
  id: 31337,
  name: 'Postern Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } },
} as const
const client = createWalletClient({ account, chain, transport: http() }).extend(publicActions)

function part<T extends Element>(id: string, kind: new () => T): T {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`The page has no #${id}.`)
  return element
}
const frame = part('app', HTMLIFrameElement)
const prompt = part('prompt', HTMLDialogElement)
part('account', HTMLElement).textContent = account.address

/** Prompts the owner, one request at a time. */
let asking: Promise<unknown> = Promise.resolve()
function ask(title: string, text: string): Promise<void> {
  const answer = asking.then(
    () =>
      new Promise<void>((resolve, reject) => {
        part('prompt-title', HTMLElement).textContent = title
        part('prompt-text', HTMLElement).textContent = text
        prompt.returnValue = ''
        prompt.addEventListener(
          'close',
          () => (prompt.returnValue === 'yes' ? resolve() : reject(new Error('User rejected the request'))),
          { once: true },
        )
        prompt.showModal()
      }),
  )
  asking = answer.catch(() => {})
  return answer
}

function read(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The requests that the demo uses. Source: the `Methods` of @safe-global/safe-apps-sdk */
async function answer(method: unknown, params: unknown): Promise<unknown> {
  switch (method) {
    case 'getSafeInfo':
      return {
        safeAddress: account.address,
        chainId: chain.id,
        threshold: 1,
        owners: [account.address],
        isReadOnly: false,
      }
    case 'signMessage': {
      const message = String(read(params, 'message'))
      const text = isHex(message) ? hexToString(message) : message
      await ask('Sign a message', text)
      return { signature: await account.signMessage({ message: isHex(message) ? { raw: message } : message }) }
    }
    case 'sendTransactions': {
      const transactions = read(params, 'txs')
      const [first] = Array.isArray(transactions) ? transactions : []
      const to = read(first, 'to')
      const data = read(first, 'data')
      if (!isHex(to) || (data !== undefined && !isHex(data))) throw new Error('The transaction is not valid')
      const value = BigInt(String(read(first, 'value') ?? 0))
      await ask('Send a transaction', `${value} wei to ${to}`)
      return { safeTxHash: await client.sendTransaction({ to, value, ...(data !== undefined && { data }) }) }
    }
    case 'getTxBySafeTxHash':
      return { txHash: read(params, 'safeTxHash'), txStatus: 'SUCCESS' }
    case 'rpcCall': {
      const response = await fetch(chain.rpcUrls.default.http[0], {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: read(params, 'call'), params: read(params, 'params') }),
      })
      const body: unknown = await response.json()
      if (read(body, 'error') !== undefined) throw new Error(String(read(read(body, 'error'), 'message')))
      return read(body, 'result')
    }
    default:
      throw new Error(`${String(method)} is not supported`)
  }
}

window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
  const id = read(data, 'id')
  if (source === null || source !== frame.contentWindow || origin !== window.origin || typeof id !== 'string') return
  const reply = (body: object) => frame.contentWindow?.postMessage({ id, version: '9.1.0', ...body }, window.origin)
  answer(read(data, 'method'), read(data, 'params')).then(
    (result) => reply({ success: true, data: result }),
    (error: unknown) => reply({ success: false, error: error instanceof Error ? error.message : String(error) }),
  )
})
