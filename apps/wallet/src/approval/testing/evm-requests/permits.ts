/** Signed allowances. */
import { evil, own } from '../draw-card'
import { permit2, usdc } from './addresses'
import { at, member, soon, type Typed, typedData } from './typed-data'

const permitTypes = {
  Permit: [
    member('owner', 'address'),
    member('spender', 'address'),
    member('value', 'uint256'),
    member('nonce', 'uint256'),
    member('deadline', 'uint256'),
  ],
}

export function permit(value: bigint, typed: Partial<Typed> = {}, spender = evil, deadline = soon) {
  return typedData('Permit', {
    types: permitTypes,
    message: { owner: own, spender, value: `${value}`, nonce: '0', deadline },
    ...typed,
  })
}

export function permitSingle(
  expiration: string,
  sigDeadline: string,
  primaryType: 'PermitSingle' | 'PermitBatch' = 'PermitSingle',
  amount = 5_000_000n,
) {
  const details = { token: usdc, amount: `${amount}`, expiration, nonce: '0' }
  const isBatch = primaryType === 'PermitBatch'
  return typedData(primaryType, {
    types: {
      [primaryType]: [
        member('details', isBatch ? 'PermitDetails[]' : 'PermitDetails'),
        member('spender', 'address'),
        member('sigDeadline', 'uint256'),
      ],
      PermitDetails: [
        member('token', 'address'),
        member('amount', 'uint160'),
        member('expiration', 'uint48'),
        member('nonce', 'uint48'),
      ],
    },
    message: { details: isBatch ? [details] : details, spender: evil, sigDeadline },
    domain: at(permit2),
  })
}

/** Of USDC, by Permit2: in one part, or in several. */
export function transferBySignature(...amounts: readonly bigint[]) {
  const [first, ...others] = amounts.map((amount) => ({ token: usdc, amount: `${amount}` }))
  const isBatch = others.length > 0
  const primaryType = isBatch ? 'PermitBatchTransferFrom' : 'PermitTransferFrom'
  return typedData(primaryType, {
    types: {
      [primaryType]: [
        member('permitted', isBatch ? 'TokenPermissions[]' : 'TokenPermissions'),
        member('spender', 'address'),
        member('nonce', 'uint256'),
        member('deadline', 'uint256'),
      ],
      TokenPermissions: [member('token', 'address'), member('amount', 'uint256')],
    },
    message: { permitted: isBatch ? [first, ...others] : first, spender: evil, nonce: '1', deadline: soon },
    domain: at(permit2),
  })
}

export function daiPermit(expiry: string, allowed: boolean) {
  return typedData('Permit', {
    types: {
      Permit: [
        member('holder', 'address'),
        member('spender', 'address'),
        member('nonce', 'uint256'),
        member('expiry', 'uint256'),
        member('allowed', 'bool'),
      ],
    },
    message: { holder: own, spender: evil, nonce: '0', expiry, allowed },
  })
}
