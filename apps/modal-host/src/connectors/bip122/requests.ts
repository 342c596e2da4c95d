import { isAddressTextOn } from '@postern/chains/bip122/accounts'
import { parseBitcoinAddress } from '@postern/chains/bip122/address'
import type { SignPsbt } from '@postern/chains/bip122/transfer'
import type { ChainClient } from '@postern/chains/chain-client'
import { type Account, bip122Requests, type CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseObjectParams } from '@postern/protocol/validation/params'
import type { WalletLink } from '../page/wallet-link'

export type BitcoinRequestContext = {
  readonly link: WalletLink
  readonly accounts: (signal: AbortSignal) => Promise<readonly Account[]>
  readonly networkId: () => CaipNetworkId
  /** Throws CHAIN_NOT_SUPPORTED if the session's network is not configured. */
  readonly client: () => ChainClient
}

/**
 * A dapp's requests that a Bitcoin wallet of the page must approve: rules 5 and 6 of `createBip122Dialect`.
 *
 * 1. Requests are parsed first.
 * 2. If the wallet signs but cannot send, the host builds and sends the transfer. For a PSBT to broadcast, the host
 *    compares the signed result with the request. A PSBT request names its network, which the bytes do not.
 */
export async function requestBitcoin(
  context: BitcoinRequestContext,
  method: string,
  params: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  switch (method) {
    case 'bip122_signMessage':
      return signMessage(context, params, signal)
    case 'bip122_signPsbt':
      return signPsbt(context, params, signal)
    case 'bip122_sendTransfer':
      return sendTransfer(context, params, signal)
    default:
      throw new Failure('UNSUPPORTED_METHOD')
  }
}

async function signMessage(context: BitcoinRequestContext, raw: unknown, signal: AbortSignal) {
  const { params, result } = bip122Requests.bip122_signMessage
  const request = parseObjectParams(params, raw)
  const { address } = await accountAt(context, request.address, signal)
  return context.link.ask(result, 'bip122_signMessage', { ...request, address }, { signal })
}

async function signPsbt(context: BitcoinRequestContext, raw: unknown, signal: AbortSignal) {
  const { params, result } = bip122Requests.bip122_signPsbt
  const { broadcast = false, ...request } = parseObjectParams(params, raw)
  if ((await context.accounts(signal)).length === 0) throw new Failure('UNAUTHORIZED')
  const signInputs = await Promise.all(
    request.signInputs.map(async (input) => {
      const { address } = await accountAt(context, input.address, signal)
      return { ...input, address }
    }),
  )
  const esplora = broadcast ? context.client().esplora : null
  const network = context.networkId()
  const signed = await context.link.ask(result, 'bip122_signPsbt', { ...request, signInputs, network }, { signal })
  if (esplora === null) return signed
  const { sendSigned } = await import('@postern/chains/bip122/transfer')
  return { psbt: signed.psbt, ...(await sendSigned(request.psbt, signed.psbt, esplora, signal)) }
}

async function sendTransfer(context: BitcoinRequestContext, raw: unknown, signal: AbortSignal) {
  const { link } = context
  const { params, result } = bip122Requests.bip122_sendTransfer
  const request = parseObjectParams(params, raw)
  const payment = (await context.accounts(signal)).find(({ type }) => type === 'payment')
  const sender = request.account === undefined ? payment : await accountAt(context, request.account, signal)
  if (sender === undefined) throw new Failure('UNAUTHORIZED')
  const networkId = context.networkId()
  for (const address of [request.recipientAddress, request.changeAddress])
    if (address !== undefined && !isAddressTextOn(address, networkId)) throw new Failure('INVALID_ADDRESS')
  if (link.can('bip122_sendTransfer'))
    return link.ask(result, 'bip122_sendTransfer', { ...request, account: sender.address }, { signal })

  const { esplora } = context.client()
  const signed = bip122Requests.bip122_signPsbt.result
  const sign: SignPsbt = (psbt, ended) =>
    link.ask(signed, 'bip122_signPsbt', { ...psbt, network: context.networkId() }, { signal: ended })
  const transfer = await import('@postern/chains/bip122/transfer')
  const { recipientAddress, changeAddress, feeRate } = request
  return transfer.sendTransfer(
    {
      networkId: context.networkId(),
      sender,
      recipientAddress,
      amount: BigInt(request.amount),
      changeAddress,
      feeRate,
    },
    { esplora, signPsbt: sign },
    signal,
  )
}

async function accountAt(context: BitcoinRequestContext, address: string, signal: AbortSignal): Promise<Account> {
  const normalised = parseBitcoinAddress(address)?.address
  const account = (await context.accounts(signal)).find((one) => one.address === normalised)
  if (account === undefined) throw new Failure('UNAUTHORIZED')
  return account
}
