import type { ConfiguredNetwork } from '@postern/chains/networks'
import { isMissingChain, type Network, parseCaipNetworkId } from '@postern/protocol'
import { Failure, toLinkError } from '@postern/protocol/failure'
import type { MissingNetwork } from '../walletconnect/dialects/dialect'
import { toFailure } from '../walletconnect/failures'

type AddChainParameters = (network: ConfiguredNetwork) => Promise<Record<string, unknown>>

/**
 * Adds a network to an EVM session that lacks it.
 *
 * 1. The wallet is asked to switch; 4902, 5000 and -32603 lead to adding the chain (spec §8), a rejection never does.
 * 2. The session must have the chain afterwards, otherwise CHAIN_NOT_SUPPORTED.
 * 3. A wallet that grants neither method cannot be asked.
 */
export async function grantNetwork(missing: MissingNetwork, addChainParameters: AddChainParameters): Promise<void> {
  const { network, methods, ask, untilGranted } = missing
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
    await add(missing, addChainParameters)
  }
  if (!(await untilGranted(network.caipNetworkId))) throw new Failure('CHAIN_NOT_SUPPORTED')
}

async function add({ network, ask }: MissingNetwork, addChainParameters: AddChainParameters): Promise<void> {
  try {
    await ask('wallet_addEthereumChain', [await addChainParameters(network)])
  } catch (thrown) {
    const cause = toFailure(thrown)
    if (isRefusal(cause) || ['ABORTED', 'TIMEOUT', 'DISCONNECTED', 'RELAY_UNREACHABLE'].includes(cause.code))
      throw cause
    throw new Failure('CHAIN_NOT_SUPPORTED', { cause })
  }
}

/** 5000 means a rejection in WalletConnect's table and an unknown chain in some wallets; the message decides. */
function isRefusal({ code, rpc, message }: Failure): boolean {
  return code === 'USER_REJECTED' && (rpc !== 5000 || /reject|denied|declin|cancel/i.test(message))
}

function hexChainId({ caipNetworkId }: Network): string {
  return `0x${Number(parseCaipNetworkId(caipNetworkId).reference).toString(16)}`
}
