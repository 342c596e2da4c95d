import { type CaipNetworkId, isMissingChain, type Network, parseCaipNetworkId } from '@postern/protocol'
import { Failure, toLinkError } from '@postern/protocol/failure'
import { toFailure } from './failures'

export type EvmSwitch = {
  readonly network: Network
  readonly methods: ReadonlySet<string>
  /** Sends to the wallet on a chain that the session has. */
  readonly ask: (method: string, params: unknown) => Promise<unknown>
  /** Resolves once the session has the network, with false when it does not come to have it. */
  readonly untilGranted: (networkId: CaipNetworkId) => Promise<boolean>
  readonly addChainParameters: (network: Network) => Promise<Record<string, unknown>>
}

/**
 * Brings a network into an EVM session that does not have it yet. (One that it has needs no word with the phone: every request names its chain.)
 *
 * 1. The wallet is asked to switch; 4902, 5000 and -32603 lead to adding the chain (spec §8), a visitor's no never does.
 * 2. What counts is that the session has the chain afterwards: without it no request for the chain could be sent. Else CHAIN_NOT_SUPPORTED.
 * 3. A wallet that grants neither method cannot be asked.
 */
export async function grantNetwork(options: EvmSwitch): Promise<void> {
  const { network, methods, ask, untilGranted } = options
  const canSwitch = methods.has('wallet_switchEthereumChain')
  const canAdd = methods.has('wallet_addEthereumChain')
  if (!canSwitch && !canAdd) throw new Failure('CHAIN_NOT_SUPPORTED')
  try {
    if (!canSwitch) throw new Failure('CHAIN_NOT_ADDED')
    await ask('wallet_switchEthereumChain', [{ chainId: hexChainId(network) }])
  } catch (thrown) {
    const cause = toFailure(thrown)
    if (isRefusal(cause) || !isMissingChain(toLinkError(cause))) throw cause
    if (!canAdd) throw new Failure('CHAIN_NOT_SUPPORTED', { cause })
    await add(options)
  }
  if (!(await untilGranted(network.caipNetworkId))) throw new Failure('CHAIN_NOT_SUPPORTED')
}

async function add({ network, ask, addChainParameters }: EvmSwitch): Promise<void> {
  try {
    await ask('wallet_addEthereumChain', [await addChainParameters(network)])
  } catch (thrown) {
    const cause = toFailure(thrown)
    if (isRefusal(cause) || ['ABORTED', 'TIMEOUT', 'DISCONNECTED', 'RELAY_UNREACHABLE'].includes(cause.code))
      throw cause
    throw new Failure('CHAIN_NOT_SUPPORTED', { cause })
  }
}

/** A visitor's no. 5000 is one in WalletConnect's own table, and an unknown chain with some wallets: there the words decide. */
function isRefusal({ code, rpc, message }: Failure): boolean {
  return code === 'USER_REJECTED' && (rpc !== 5000 || /reject|denied|declin|cancel/i.test(message))
}

function hexChainId({ caipNetworkId }: Network): string {
  return `0x${Number(parseCaipNetworkId(caipNetworkId).reference).toString(16)}`
}
