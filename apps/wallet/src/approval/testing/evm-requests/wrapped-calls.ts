/** Signatures that a contract carries out as a call or transfer of the owner. */
import { evil, friend, own, token } from '../draw-card'
import { zero } from './addresses'
import type { Call } from './calls'
import { word } from './chain'
import { at, type Members, member, soon, type Typed, typedData } from './typed-data'

export const authorization: Members = [
  member('from', 'address'),
  member('to', 'address'),
  member('value', 'uint256'),
  member('validAfter', 'uint256'),
  member('validBefore', 'uint256'),
  member('nonce', 'bytes32'),
]

export function transferByAuthorization(
  { to = evil, value = 50_000_000_000n, contract = token, chainId = 1 },
  primaryType = 'TransferWithAuthorization',
) {
  const message = { from: own, to, value: `${value}`, validAfter: '0', validBefore: soon, nonce: word(7) }
  return typedData(primaryType, {
    types: { [primaryType]: authorization },
    message,
    domain: { name: 'USD Coin', version: '2', chainId, verifyingContract: contract },
  })
}

const safeTypes: Members = [
  member('to', 'address'),
  member('value', 'uint256'),
  member('data', 'bytes'),
  member('operation', 'uint8'),
  member('safeTxGas', 'uint256'),
  member('baseGas', 'uint256'),
  member('gasPrice', 'uint256'),
  member('gasToken', 'address'),
  member('refundReceiver', 'address'),
  member('nonce', 'uint256'),
]

export function safeTx(given: object, safe = friend) {
  const message = {
    to: evil,
    value: '0',
    data: '0x',
    operation: 0,
    safeTxGas: '0',
    baseGas: '0',
    gasPrice: '0',
    gasToken: zero,
    refundReceiver: zero,
    nonce: '0',
    ...given,
  }
  return typedData('SafeTx', {
    types: { SafeTx: safeTypes },
    message,
    domain: { chainId: 1, verifyingContract: safe },
    domainType: [member('chainId', 'uint256'), member('verifyingContract', 'address')],
  })
}

export function metaTransaction(data: string, typed: Partial<Typed> = {}) {
  return typedData('MetaTransaction', {
    types: {
      MetaTransaction: [member('nonce', 'uint256'), member('from', 'address'), member('functionSignature', 'bytes')],
    },
    message: { nonce: '0', from: own, functionSignature: data },
    ...typed,
  })
}

export function forwardRequest(call: Call, typed: Partial<Typed> = {}, extra: Members = [], value = '5') {
  return typedData('ForwardRequest', {
    types: {
      ForwardRequest: [
        member('from', 'address'),
        member('to', 'address'),
        member('value', 'uint256'),
        member('gas', 'uint256'),
        member('nonce', 'uint256'),
        member('data', 'bytes'),
        ...extra,
      ],
    },
    message: {
      from: own,
      to: call.to,
      value: `${call.value ?? 0n}`,
      gas: '9',
      nonce: '0',
      data: call.data ?? '0x',
      ...Object.fromEntries(extra.map(({ name }) => [name, value])),
    },
    domain: at(evil),
    ...typed,
  })
}
