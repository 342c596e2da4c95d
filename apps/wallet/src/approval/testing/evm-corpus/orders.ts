/** Signed orders. */
import { evil, friend, own, token } from '../draw-card'
import { reactor, seaport, usdc, usdt, weth } from '../evm-requests/addresses'
import { ether } from '../evm-requests/calls'
import { unknownToken } from '../evm-requests/chain'
import { itemOf, orderTypes, pays, seaportOrder, witness } from '../evm-requests/orders'
import { saltDomain, soon, typedData } from '../evm-requests/typed-data'
import type { Row } from './row'

const dollars = (amount: bigint, of = usdc) => ({ type: 1, of, amount: amount * 10n ** 6n })

export const rows: readonly Row[] = [
  {
    name: 'Seaport: any item of a collection',
    request: seaportOrder([{ type: 4, of: token, amount: 1n }], [{ type: 0, amount: ether, to: own }]),
    warns: ['givesAnyItem'],
    shows: [
      `− any item of the collection ${unknownToken} |`,
      'You give | any item of the collection',
      'The buyer chooses the item.',
      'In return | 1 ETH',
      'You',
    ],
    hides: ['#0'],
  },
  {
    name: 'Seaport: one of a list, of which only the hash is signed',
    request: seaportOrder([{ type: 5, of: token, id: 77n, amount: 3n }], [{ type: 0, amount: ether, to: own }]),
    warns: ['givesAnyItem'],
    shows: ['You give | 3 × any item from a list'],
    hides: ['#77'],
  },
  {
    name: 'Seaport: a type of item that does not exist',
    request: seaportOrder([{ type: 9, of: token, amount: 1n }], [{ type: 0, amount: ether, to: own }]),
    warns: ['notDecoded'],
    shows: ['This signature could move your assets.'],
    hides: ['You give'],
  },
  {
    name: 'Seaport: a million pieces of one item',
    request: seaportOrder([{ type: 3, of: token, id: 5n, amount: 1_000_000n }], [{ type: 0, amount: ether, to: own }]),
    warns: ['unknownContract'],
    shows: ['You give | 1,000,000 × #5'],
  },
  {
    name: 'Seaport: 1 ETH to a stranger, 1 wei to the owner',
    request: seaportOrder(
      [{ type: 2, of: token, id: 5n, amount: 1n }],
      [
        { type: 0, amount: ether, to: evil },
        { type: 0, amount: 1n, to: own },
      ],
    ),
    warns: ['givesForNothing', 'firstTimeRecipient'],
    shows: ['You get little for this.', '| You'],
  },
  {
    name: 'Seaport: 1 ETH to a stranger, 1 wei of a token to the owner',
    request: seaportOrder(
      [{ type: 2, of: token, id: 5n, amount: 1n }],
      [
        { type: 0, amount: ether, to: evil },
        { type: 1, of: friend, amount: 1n, to: own },
      ],
    ),
    warns: ['givesForNothing'],
    shows: ['You get little for this.'],
  },
  {
    name: 'Seaport: thirty look-alikes do not hide that no network is named',
    request: typedData('OrderComponents', {
      types: orderTypes,
      message: {
        offerer: own,
        offer: [itemOf({ type: 2, of: token, id: 5n, amount: 1n })],
        consideration: Array.from({ length: 30 }, (_, index) =>
          itemOf({ type: 0, amount: 1n, to: `0x4444${`${index}`.padStart(32, 'e')}4444` }),
        ),
        endTime: soon,
      },
      domain: { name: 'Seaport', version: '1.6', verifyingContract: seaport },
      domainType: saltDomain.slice(0, 3),
    }),
    context: { known: { recipients: [friend], contracts: [] } },
    warns: ['tooLong', 'everyNetwork', 'lookalikeRecipient'],
    shows: ['Network | Any network'],
  },
  {
    name: 'Seaport: a sale with the fee of the market',
    request: seaportOrder(
      [{ type: 2, of: token, id: 5n, amount: 1n }],
      [
        { type: 0, amount: (ether * 97n) / 100n, to: own },
        { type: 0, amount: (ether * 3n) / 100n, to: evil },
      ],
    ),
    warns: ['firstTimeRecipient'],
    shows: ['In return | 0.97 ETH'],
    hides: ['You get little', 'You get nothing', 'You may get nothing'],
  },
  {
    name: 'Seaport: a bid with the fee of the market',
    request: seaportOrder(
      [{ type: 1, of: weth, amount: ether }],
      [
        { type: 2, of: token, id: 5n, amount: 1n, to: own },
        { type: 1, of: weth, amount: (ether * 3n) / 100n, to: evil },
      ],
    ),
    warns: ['firstTimeRecipient'],
    shows: ['In return | #5'],
    hides: ['You get little', 'You get nothing'],
  },
  {
    name: 'Seaport: a bid of which most goes to others, for an item',
    request: seaportOrder(
      [{ type: 1, of: weth, amount: ether }],
      [
        { type: 2, of: token, id: 5n, amount: 1n, to: own },
        { type: 1, of: weth, amount: (ether * 60n) / 100n, to: evil },
      ],
    ),
    warns: ['givesForNothing'],
    shows: ['You get little for this.'],
  },
  {
    name: 'an order of Seaport’s form for another contract',
    request: seaportOrder([{ type: 2, of: token, id: 5n, amount: 1n }], [{ type: 0, amount: ether, to: own }], evil),
    warns: ['givesForNothing', 'notDecoded', 'unknownContract'],
    shows: ['You may get nothing for this.'],
    hides: ['In return'],
  },
  {
    name: 'Permit2: a stranger’s promise of 30 ETH',
    request: witness(evil, [pays(30n * ether)]),
    warns: ['givesForNothing', 'notDecoded', 'unknownContract'],
    shows: ['You may get nothing for this.', 'Limit | 50,000 USDC'],
    hides: ['In return', '30 ETH'],
  },
  {
    name: 'UniswapX: an order that its reactor keeps',
    request: witness(reactor, [pays(30n * ether)]),
    warns: ['unknownContract'],
    shows: ['| − 50,000 USDC |', 'You give | 50,000 USDC', 'In return | 30 ETH', '| You'],
    hides: ['You may get nothing'],
  },
  {
    name: 'Seaport: an item for one wei',
    request: seaportOrder([{ type: 2, of: token, id: 5n, amount: 1n }], [{ type: 0, amount: 1n, to: own }]),
    warns: ['lowMinimum'],
    shows: [`| − #5 unverified token`, 'You may get much less.'],
  },

  // Less of the same, or of another dollar
  ...(
    [
      ['Seaport: 10 USDC for 50,000', seaportOrder([dollars(50_000n)], [{ ...dollars(10n), to: own }])],
      ['Seaport: 10 USDT for 50,000 USDC', seaportOrder([dollars(50_000n)], [{ ...dollars(10n, usdt), to: own }])],
      [
        'Seaport: 0.1 ETH for 10 WETH',
        seaportOrder([{ type: 1, of: weth, amount: 10n * ether }], [{ type: 0, amount: ether / 10n, to: own }]),
      ],
      ['UniswapX: 1 USDC for 50,000', witness(reactor, [{ token: usdc, endAmount: '1000000', recipient: own }])],
      [
        'Seaport: 50,000 USDC and an item, for 10 USDC',
        seaportOrder([dollars(50_000n), { type: 2, of: token, id: 5n, amount: 1n }], [{ ...dollars(10n), to: own }]),
      ],
    ] as const
  ).map(
    ([name, request]): Row => ({
      name,
      request,
      warns: ['lowMinimum'],
      shows: ['You may get much less.', 'The guaranteed amount is close to nothing, or far below what’s expected.'],
    }),
  ),
  ...(
    [
      ['49,000 USDT for 50,000 USDC', [dollars(50_000n)], [{ ...dollars(49_000n, usdt), to: own }]],
      ['10 USDC for an item', [{ type: 2, of: token, id: 5n, amount: 1n }], [{ ...dollars(10n), to: own }]],
      ['an item for 50,000 USDC', [dollars(50_000n)], [{ type: 2, of: token, id: 5n, amount: 1n, to: own }]],
    ] as const
  ).map(
    ([name, offer, consideration]): Row => ({
      name: `no warning: Seaport, ${name}`,
      request: seaportOrder(offer, consideration),
      warns: [],
      shows: ['In return'],
      hides: ['You may get much less.'],
    }),
  ),
]
