/** Allowances: increases, limits, and what a chain says of them. */
import { evil, friend, own, token } from '../draw-card'
import { nativeLogger, permit2, router, usdc } from '../evm-requests/addresses'
import { encode, operation, transaction } from '../evm-requests/calls'
import { chainOf, dollars, itemsOnly, moves, simulatedBatch, unknownToken } from '../evm-requests/chain'
import { permit, transferBySignature } from '../evm-requests/permits'
import type { Row } from './row'

/** Of the 900 dollars that the owner has. */
const holding = chainOf({ symbol: 'USDC', decimals: 6, balance: 900_000_000n, supply: 10n ** 15n, allowance: 0n })
const knownParties = { known: { recipients: [friend], contracts: [usdc, permit2, evil, friend, router] } }
const allowing = (spender: string, dollars: bigint) => ({
  to: usdc,
  data: encode('approve', [spender, dollars * 10n ** 6n]),
})
const paying = (dollars: bigint) => ({ to: usdc, data: encode('transfer', [friend, dollars * 10n ** 6n]) })
const increasing = encode('increaseAllowance', [evil, 200_000_000n])

export const rows: readonly Row[] = [
  // Revocations and increases
  {
    name: 'an increase by nothing, of an allowance that stays',
    request: transaction({ to: token, data: encode('increaseAllowance', [evil, 0n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, allowance: 7_000_000n }),
    warns: ['unknownContract'],
    shows: ['Allow spending more', 'Adds | 0 GOLD', 'New limit | 7 GOLD'],
    hides: ['Revoke permission'],
  },
  {
    name: 'an increase of what is almost everything',
    request: transaction({ to: token, data: encode('increaseAllowance', [evil, 1n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, allowance: 2n ** 112n - 1n }),
    warns: ['unlimitedApproval', 'unknownContract'],
    shows: ['New limit | Unlimited'],
  },
  {
    name: 'an increase without an answer from the chain',
    request: transaction({ to: token, data: encode('increaseAllowance', [evil, 0n]) }),
    warns: ['unknownTotal', 'unknownContract'],
    shows: ['This adds to an earlier limit.', 'New limit | Unknown', '+ 0 (base units)'],
    hides: ['Revoke permission'],
  },
  {
    name: 'Permit2’s form at another contract',
    request: transaction({ to: evil, data: encode('approveBy2', [token, own, 0n, 0]) }),
    answers: dollars,
    context: { known: { recipients: [], contracts: [evil] } },
    warns: ['notDecoded'],
    shows: [`Contract | ${evil}`],
    hides: ['Revoke permission'],
  },
  {
    name: 'Permit2: the called contract of an approval',
    request: transaction({ to: permit2, data: encode('approveBy2', [token, evil, 5n, 9]) }),
    answers: dollars,
    warns: ['unknownContract'],
    shows: [`Contract | ${permit2}`],
  },

  // Unlimited
  ...[2n ** 112n, 2n ** 128n - 1n, 2n ** 96n - 1n, 2n ** 255n].flatMap((amount): readonly Row[] => [
    {
      name: `an approval of ${amount}, without an answer from the chain`,
      request: transaction({ to: token, data: encode('approve', [evil, amount]) }),
      warns: ['unlimitedApproval'],
      shows: ['Limit | Unlimited'],
    },
    {
      name: `a permit of ${amount}`,
      request: permit(amount),
      warns: ['unlimitedApproval'],
      shows: ['Limit | Unlimited'],
    },
  ]),
  {
    name: 'an approval of the whole supply',
    request: transaction({ to: token, data: encode('approve', [evil, 10n ** 12n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 5n, supply: 10n ** 12n }),
    warns: ['unlimitedApproval'],
    shows: ['Limit | Unlimited: 1,000,000 GOLD'],
  },
  {
    name: 'an approval of more than the owner has',
    request: transaction({ to: token, data: encode('approve', [evil, 10n ** 9n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n - 1n, supply: 10n ** 12n }),
    warns: ['coversBalance', 'unknownContract'],
    shows: ['Covers everything you have.', 'Limit | 1,000 GOLD'],
  },
  {
    name: 'a permit of more than the owner has',
    request: permit(10n ** 9n),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n - 1n, supply: 10n ** 12n }),
    warns: ['coversBalance', 'unknownContract'],
    shows: ['Covers everything you have.'],
  },

  // What a chain cannot talk away
  {
    name: 'an unlimited approval of a listed token that the chain calls a collection',
    request: transaction({ to: usdc, data: encode('approve', [evil, 2n ** 256n - 1n]) }),
    answers: itemsOnly,
    warns: ['unlimitedApproval'],
    shows: ['Limit | Unlimited USDC'],
    hides: ['#'],
  },
  {
    name: 'a large approval of a listed token that the chain calls a collection',
    request: transaction({ to: usdc, data: encode('approve', [evil, 2n ** 112n]) }),
    answers: itemsOnly,
    warns: ['unlimitedApproval'],
    shows: ['Unlimited spending.'],
    hides: ['#'],
  },
  {
    name: 'the largest number of a token that the chain calls a collection',
    request: transaction({ to: token, data: encode('approve', [evil, 2n ** 256n - 1n]) }),
    answers: itemsOnly,
    warns: ['unlimitedApproval'],
    shows: ['Limit | Unlimited'],
    hides: ['#'],
  },
  {
    name: 'an amount of a listed token that the chain calls a collection',
    request: transaction({ to: usdc, data: encode('transferFrom', [own, evil, 50_000_000_000n]) }),
    answers: itemsOnly,
    warns: ['firstTimeRecipient'],
    shows: ['− 50,000 USDC'],
    hides: ['#'],
  },

  // Sums
  {
    name: 'an increase after an approval of the same batch',
    request: operation(
      { to: token, data: encode('approve', [evil, 600_000_000n]) },
      { to: token, data: encode('increaseAllowance', [evil, 600_000_000n]) },
    ),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, allowance: 7n, balance: 10n ** 9n, supply: 10n ** 15n }),
    warns: ['coversBalance'],
    shows: ['New limit | 1,200 GOLD'],
  },
  {
    name: 'two increases of the same batch',
    request: operation(
      { to: token, data: encode('increaseAllowance', [evil, 600_000_000n]) },
      { to: token, data: encode('increaseAllowance', [evil, 600_000_000n]) },
    ),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, allowance: 1_000_000n, balance: 10n ** 12n, supply: 10n ** 15n }),
    warns: ['unknownContract'],
    shows: ['New limit | 601 GOLD', 'New limit | 1,201 GOLD'],
  },
  {
    name: 'an approval of exactly the balance',
    request: transaction({ to: token, data: encode('approve', [evil, 10n ** 9n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n, supply: 10n ** 12n }),
    warns: ['coversBalance'],
    shows: ['Covers everything you have.'],
  },
  {
    name: 'a permit of exactly the balance',
    request: permit(10n ** 9n),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n, supply: 10n ** 12n }),
    warns: ['coversBalance'],
    shows: ['Covers everything you have.'],
  },
  {
    name: 'an approval of exactly the balance for a listed router',
    request: transaction({ to: token, data: encode('approve', [router, 10n ** 9n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n, supply: 10n ** 12n }),
    warns: [],
    shows: ['Limit | 1,000 GOLD'],
    hides: ['Covers everything'],
  },
  {
    name: 'an approval of more than the balance for a listed router',
    request: transaction({ to: token, data: encode('approve', [router, 10n ** 9n + 1n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n, supply: 10n ** 12n }),
    warns: ['coversBalance'],
    shows: ['Covers everything you have.'],
  },

  // Each is less than the owner has; all together are not
  ...(
    [
      ['two spenders', operation(allowing(evil, 500n), allowing(friend, 500n))],
      ['a spender, beside a payment', operation(paying(500n), allowing(evil, 450n))],
      [
        'Permit2: five transfers by one signature',
        transferBySignature(...Array.from({ length: 5 }, () => 200_000_000n)),
      ],
      ['a router and another spender', operation(allowing(router, 500n), allowing(evil, 400n))],
      [
        'a spender twice, by an increase',
        operation(allowing(evil, 500n), { to: usdc, data: increasing }, paying(300n)),
      ],
    ] as const
  ).map(
    ([name, request]): Row => ({
      name: `all that the owner has, in parts: ${name}`,
      request,
      answers: holding,
      context: knownParties,
      warns: ['coversBalance'],
      shows: ['Covers everything you have.'],
    }),
  ),
  ...(
    [
      ['two spenders of less', operation(allowing(evil, 400n), allowing(friend, 400n))],
      ['one spender twice, of which the last one counts', operation(allowing(evil, 500n), allowing(evil, 500n))],
      [
        'Permit2, and who may use it',
        operation(allowing(permit2, 500n), { to: permit2, data: encode('approveBy2', [usdc, evil, 500_000_000n, 0]) }),
      ],
      [
        'a payment to the owner',
        operation({ to: usdc, data: encode('transfer', [own, 500_000_000n]) }, allowing(evil, 450n)),
      ],
    ] as const
  ).map(
    ([name, request]): Row => ({
      name: `no warning: ${name}`,
      request,
      answers: holding,
      context: knownParties,
      warns: [],
      shows: ['Allow spending'],
      hides: ['Covers everything'],
    }),
  ),

  // The amount of an allowance, above the details
  {
    name: 'a limited approval',
    request: transaction({ to: usdc, data: encode('approve', [evil, 50_000_000_000n]) }),
    answers: dollars,
    context: { known: { recipients: [], contracts: [evil] } },
    warns: [],
    shows: ['| Allow spending | 50,000 USDC |'],
  },
  {
    name: 'a limited permit',
    request: permit(50_000_000_000n),
    answers: dollars,
    context: { known: { recipients: [], contracts: [evil] } },
    warns: [],
    shows: [`| Allow spending (signature) | 50,000 GOLD ${unknownToken} | Limit |`],
  },
  {
    name: 'two approvals of one batch',
    request: operation(
      { to: usdc, data: encode('approve', [evil, 50_000_000_000n]) },
      { to: token, data: encode('increaseAllowance', [evil, 7_000_000n]) },
    ),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, allowance: 1_000_000n }),
    warns: ['unknownContract'],
    shows: [`| Allow spending and 1 more step | 50,000 USDC | 8 GOLD ${unknownToken} |`],
  },
  ...(
    [
      [
        '',
        dollars,
        new RegExp(
          `\\| Allow spending and 6 more steps \\| 50,000 USDC \\| 0.000001 GOLD ${unknownToken} \\| We can’t tell`,
        ),
      ],
      [
        ' of which the chain simulates a small loss',
        chainOf({ symbol: 'GOLD', decimals: 6 }, simulatedBatch(7, [moves(nativeLogger, own, evil, 1n)])),
        /\| Allow spending and 6 more steps \| 50,000 USDC \| .* \| Simulated/,
      ],
    ] as const
  ).map(
    ([name, answers, shown]): Row => ({
      name: `an approval behind six small ones${name}`,
      request: operation(...Array.from({ length: 6 }, () => ({ to: token, data: encode('approve', [evil, 1n]) })), {
        to: usdc,
        data: encode('approve', [evil, 50_000_000_000n]),
      }),
      answers,
      warns: ['unknownContract'],
      shows: [shown],
    }),
  ),
]
