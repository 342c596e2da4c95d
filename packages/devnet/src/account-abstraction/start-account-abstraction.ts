import { createPublicClient, createWalletClient, http } from 'viem'
import * as z from 'zod'
import { type Answer, json, parseJson, Refusal, serve } from '../http/serve'
import { entryPoint, operator, paymasterDeployment } from './addresses'
import { type Bundler, type BundlerMode, createBundler } from './bundler'
import { devnetChain } from './deploy'
import { answerRpc, bundlerMethods, type Methods, paymasterMethods } from './methods'
import { createAsk } from './node'
import { createPaymaster } from './paymaster'

export type AccountAbstraction = {
  readonly url: string
  /** Same as `POST /devnet/bundler {"mode": "hold"}`. */
  setBundler(mode: BundlerMode): void
  /** Same as `POST /devnet/paymaster {"on": false}`: every request gets an error. */
  setPaymaster(on: boolean): void
  stop(): Promise<void>
}

/** In ms, for a chain that does not mine at once. */
const inclusionTimeout = 30_000

const BundlerSwitch = z.object({ mode: z.enum(['on', 'off', 'hold']) })
const PaymasterSwitch = z.object({ on: z.boolean() })

/**
 * Bundlers and paymasters on one loopback port.
 *
 * 1. `POST /{chainId}` is that chain's bundler, `POST /paymaster/{chainId}` its paymaster.
 * 2. A bundler that is off returns 503; a paymaster that is off refuses to pay with -32000.
 * 3. Requires the contracts of `deployAccountAbstraction` on each chain.
 */
export async function startAccountAbstraction({
  port,
  chains,
  signal,
}: {
  readonly port: number
  readonly chains: readonly { readonly chainId: number; readonly rpcUrl: string }[]
  readonly signal?: AbortSignal | undefined
}): Promise<AccountAbstraction> {
  let mode: BundlerMode = 'on'
  let pays = true
  const { address: paymasterAddress } = paymasterDeployment()
  const bundlers: Bundler[] = []
  const services = new Map<string, Methods>()
  for (const { chainId, rpcUrl } of chains) {
    const ask = createAsk(rpcUrl)
    const bundler = createBundler({
      ask,
      chainId,
      beneficiary: operator.address,
      sendBundle: sender(rpcUrl, chainId),
    })
    bundlers.push(bundler)
    services.set(`/${chainId}`, bundlerMethods(bundler, chainId))
    const paymaster = createPaymaster({ ask, address: paymasterAddress, signer: operator })
    services.set(
      `/paymaster/${chainId}`,
      paymasterMethods(paymaster, chainId, () => pays),
    )
  }
  const setBundler = (wanted: BundlerMode) => {
    mode = wanted
    for (const bundler of bundlers) bundler.setMode(wanted)
  }
  const setPaymaster = (on: boolean) => {
    pays = on
  }

  const server = await serve({
    port,
    signal,
    async answer({ method, url: { pathname }, body }): Promise<Answer> {
      if (method !== 'POST') throw new Refusal(405, 'Send a POST.')
      if (pathname === '/devnet/bundler') {
        setBundler(parseJson(BundlerSwitch, body).mode)
        return json({ mode })
      }
      if (pathname === '/devnet/paymaster') {
        setPaymaster(parseJson(PaymasterSwitch, body).on)
        return json({ on: pays })
      }
      const methods = services.get(pathname)
      if (methods === undefined) throw new Refusal(404, 'Not found.')
      if (mode === 'off' && !pathname.startsWith('/paymaster/')) throw new Refusal(503, 'The bundler is switched off.')
      return json(await answerRpc(methods, body))
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    setBundler,
    setPaymaster,
    async stop() {
      setBundler('off')
      await server.stop()
    },
  }
}

function sender(rpcUrl: string, chainId: number): Parameters<typeof createBundler>[0]['sendBundle'] {
  const chain = devnetChain(rpcUrl, chainId)
  const transport = http(rpcUrl)
  const wallet = createWalletClient({ account: operator, chain, transport })
  const node = createPublicClient({ chain, transport, pollingInterval: 50 })
  return async (data, gas) => {
    const hash = await wallet.sendTransaction({ to: entryPoint, data, gas })
    await node.waitForTransactionReceipt({ hash, timeout: inclusionTimeout })
  }
}
