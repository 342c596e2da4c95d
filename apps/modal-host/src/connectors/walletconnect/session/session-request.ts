import { type CaipNetworkId, currentNetworkId, isCaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Dialect, SessionState } from '../dialects/dialect'
import { forDapp } from '../failures'
import type { WalletConnectOptions } from '../options'
import type { Grant } from './grant'

export type SessionRequestContext = Pick<WalletConnectOptions, 'clientOf'> & {
  readonly dialect: Dialect
  readonly grant: Grant
  readonly state: SessionState
  readonly ask: (chainId: string, method: string, params: unknown, signal: AbortSignal) => Promise<unknown>
}

/**
 * A dapp's request to the wallet of a session.
 *
 * 1. What needs no wallet is answered from the session.
 * 2. A chain or a method that the session lacks is never sent: CHAIN_DISCONNECTED, UNSUPPORTED_METHOD.
 * 3. If the wallet only signs, the host builds and sends, if it can reach the chain.
 */
export async function requestInSession(
  context: SessionRequestContext,
  method: string,
  params: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const { dialect, grant, state, clientOf } = context
  const local = dialect.localAnswer(method, state)
  if (local !== undefined) return local
  const send = (name: string, value: unknown, ended: AbortSignal) =>
    sendInDialect(context, name, value, ended).catch((thrown: unknown) => {
      throw forDapp(thrown)
    })
  if (clientOf === undefined) return send(method, params, signal)
  const compose = { state, clientOf, ask: send, signal }
  const composition = dialect.compositions.get(method)
  if (composition && !grant.methods.has(composition.wireName) && grant.methods.has(composition.needs))
    return composition.run(params, compose)
  const result = await send(method, params, signal)
  return dialect.complete === undefined ? result : dialect.complete(method, params, result, compose)
}

async function sendInDialect(
  { dialect, grant, state, ask }: SessionRequestContext,
  method: string,
  params: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const wire = dialect.toWire(method, params, state)
  if (!grant.methods.has(wire.method)) throw new Failure('UNSUPPORTED_METHOD')
  const named = dialect.namesNetwork ? networkIn(params) : undefined
  const networkId = named ?? state.networkId
  const chain = grant.networks.find((network) => network.networkId === networkId)
  if (chain === undefined) throw new Failure('CHAIN_DISCONNECTED')
  return wire.read(await ask(chain.chainId, wire.method, wire.params, signal))
}

function networkIn(params: unknown): CaipNetworkId | undefined {
  const first: unknown = Array.isArray(params) ? params[0] : params
  if (typeof first !== 'object' || first === null) return undefined
  const network: unknown = Reflect.get(first, 'network')
  return isCaipNetworkId(network) ? currentNetworkId(network) : undefined
}
