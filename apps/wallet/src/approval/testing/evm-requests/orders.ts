/** Signed orders. */
import { own } from '../draw-card'
import { cow, permit2, seaport, usdc, weth, zero, zeroEx } from './addresses'
import { at, type Members, member, soon, typedData } from './typed-data'

const item = [
  member('itemType', 'uint8'),
  member('token', 'address'),
  member('identifierOrCriteria', 'uint256'),
  member('startAmount', 'uint256'),
  member('endAmount', 'uint256'),
]
export const orderTypes = {
  OrderComponents: [
    member('offerer', 'address'),
    member('offer', 'OfferItem[]'),
    member('consideration', 'ConsiderationItem[]'),
    member('endTime', 'uint256'),
  ],
  OfferItem: item,
  ConsiderationItem: [...item, member('recipient', 'address')],
}

export type Item = {
  readonly type: number
  readonly of?: string
  readonly id?: bigint
  readonly amount: bigint
  readonly to?: string
}

export const itemOf = ({ type, of = zero, id = 0n, amount, to }: Item) => ({
  itemType: type,
  token: of,
  identifierOrCriteria: `${id}`,
  startAmount: `${amount}`,
  endAmount: `${amount}`,
  ...(to !== undefined && { recipient: to }),
})

export function seaportOrder(
  offer: readonly Item[],
  consideration: readonly Item[],
  contract = seaport,
  endTime = soon,
) {
  const message = {
    offerer: own,
    offer: offer.map(itemOf),
    consideration: consideration.map(itemOf),
    endTime,
  }
  return typedData('OrderComponents', { types: orderTypes, message, domain: at(contract) })
}

export function cowOrder(validTo: number) {
  const members: Members = [
    member('sellToken', 'address'),
    member('buyToken', 'address'),
    member('receiver', 'address'),
    member('sellAmount', 'uint256'),
    member('buyAmount', 'uint256'),
    member('validTo', 'uint32'),
    member('feeAmount', 'uint256'),
  ]
  const message = {
    sellToken: usdc,
    buyToken: weth,
    receiver: own,
    sellAmount: '5',
    buyAmount: '5',
    validTo,
    feeAmount: '0',
  }
  return typedData('Order', { types: { Order: members }, message, domain: at(cow) })
}

export function zeroExOrder(primaryType: 'LimitOrder' | 'OtcOrder', name: 'expiry' | 'expiryAndNonce', end: bigint) {
  const members: Members = [
    member('makerToken', 'address'),
    member('takerToken', 'address'),
    member('makerAmount', 'uint128'),
    member('takerAmount', 'uint128'),
    member('maker', 'address'),
    member(name, 'uint256'),
  ]
  const message = {
    makerToken: usdc,
    takerToken: weth,
    makerAmount: '5',
    takerAmount: '5',
    maker: own,
    [name]: `${end}`,
  }
  return typedData(primaryType, { types: { [primaryType]: members }, message, domain: at(zeroEx) })
}

export function witness(spender: string, outputs: readonly object[], contract = permit2) {
  return typedData('PermitWitnessTransferFrom', {
    types: {
      PermitWitnessTransferFrom: [
        member('permitted', 'TokenPermissions'),
        member('spender', 'address'),
        member('nonce', 'uint256'),
        member('deadline', 'uint256'),
        member('witness', 'Witness'),
      ],
      TokenPermissions: [member('token', 'address'), member('amount', 'uint256')],
      Witness: [member('outputs', 'Output[]')],
      Output: [member('token', 'address'), member('endAmount', 'uint256'), member('recipient', 'address')],
    },
    message: {
      permitted: { token: usdc, amount: '50000000000' },
      spender,
      nonce: '1',
      deadline: soon,
      witness: { outputs },
    },
    domain: { name: 'Permit2', chainId: 1, verifyingContract: contract },
    domainType: [member('name', 'string'), member('chainId', 'uint256'), member('verifyingContract', 'address')],
  })
}

export const pays = (raw: bigint, to = own) => ({ token: zero, endAmount: `${raw}`, recipient: to })
