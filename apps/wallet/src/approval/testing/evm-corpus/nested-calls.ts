/** Calls inside of calls. */

import { evil, friend, own, token } from '../draw-card'
import { multiSend, nativeLogger, permit2, router3, usdc, weth, zero } from '../evm-requests/addresses'
import { batchOf, encode, ether, packed, transaction } from '../evm-requests/calls'
import { chainOf, dollars, moves, simulated, word } from '../evm-requests/chain'
import { forwardRequest, metaTransaction, safeTx } from '../evm-requests/wrapped-calls'
import type { Row } from './row'

const grave = encode('setApprovalForAll', [evil, true])
const taking = encode('transferFrom', [own, evil, 5_000_000n])
const delegated = (data: string, to = multiSend) => safeTx({ to, operation: 1, data })
const run = (data: string, operation = 0, to = token) =>
  encode('execTransaction', [to, 0n, data, operation, 0n, 0n, 0n, zero, zero, '0x12'])
const batched = batchOf({ to: token, data: grave }, { to: token, data: taking })

export const rows: readonly Row[] = [
  ...(
    [
      ['a Safe’s MultiSend', delegated(batched)],
      ['a MultiSend in a MultiSend', delegated(batchOf({ to: multiSend, data: batched, operation: 1 }))],
      ['a MultiSend that is called', transaction({ to: multiSend, data: batched })],
      ['a MultiSend in a forwarded call', forwardRequest({ to: multiSend, data: batched })],
      ['a MultiSend in a meta transaction', metaTransaction(batched)],
      ['a Safe’s execTransaction', transaction({ to: friend, data: run(batched, 1, multiSend) })],
      ['multicall', transaction({ to: token, data: encode('multicall', [[grave, taking]]) })],
      ['multicall with an end', transaction({ to: token, data: encode('multicallUntil', [9n, [grave, taking]]) })],
      [
        'Multicall3',
        transaction({
          to: friend,
          data: encode('aggregate3', [
            [
              { target: token, allowFailure: true, callData: grave },
              { target: token, allowFailure: true, callData: taking },
            ],
          ]),
        }),
      ],
      [
        'executeBatch of an account',
        transaction({
          to: friend,
          data: encode('executeBatch', [
            [token, token],
            [0n, 0n],
            [grave, taking],
          ]),
        }),
      ],
    ] as const
  ).map(
    ([name, request]): Row => ({
      name: `all calls of ${name}`,
      request,
      answers: dollars,
      warns: ['approvesAll', 'firstTimeRecipient'],
      shows: ['Access to your entire collection.', '− 5 GOLD', `To | ${evil}`],
      hides: request.subject.kind === 'eip155.typedData' ? ['control of your account'] : [],
    }),
  ),
  {
    name: 'an ERC-7579 account that runs another contract’s code',
    request: transaction({ to: friend, data: encode('execute7579', [`0xff${'0'.repeat(62)}`, `${evil}1234`]) }),
    warns: ['givesControl', 'notDecoded'],
    shows: ['Gives away control of your account.', evil],
  },
  {
    name: 'a transfer inside of an ERC-7579 account’s execute',
    request: transaction({
      to: friend,
      data: encode('execute7579', [word(0), `${token}${'0'.repeat(64)}${taking.slice(2)}`]),
    }),
    answers: dollars,
    warns: ['firstTimeRecipient', 'notDecoded'],
    shows: ['− 5 GOLD', `To | ${evil}`],
  },
  {
    name: 'Permit2: several transfers of the owner’s tokens',
    request: transaction({
      to: permit2,
      data: encode('moveBy2', [[{ from: own, to: evil, amount: 5_000_000n, token }]]),
    }),
    answers: dollars,
    warns: ['firstTimeRecipient', 'notDecoded'],
    shows: ['− 5 GOLD', `To | ${evil}`],
  },
  ...(
    [
      ['with a byte too many', delegated(encode('multiSend', [`${packed({ to: token, data: taking })}00`]))],
      ['that is cut', delegated(encode('multiSend', [packed({ to: token, data: taking }).slice(0, -2)]))],
      ['with a byte behind its data', delegated(`${batched}00`)],
      ['of another contract', delegated(batched, evil)],
      ['without calls', delegated(encode('multiSend', ['0x']))],
      ['with another operation', delegated(batchOf({ to: token, data: taking, operation: 2 }))],
      ['that runs another contract’s code', delegated(batchOf({ to: evil, data: '0x1234', operation: 1 }))],
      ['that enables a module', delegated(batchOf({ to: friend, data: encode('enableModule', [evil]) }))],
      [
        'that enables a module of the zero address',
        delegated(batchOf({ to: zero, data: encode('enableModule', [evil]) })),
      ],
    ] as const
  ).map(
    ([name, request]): Row => ({
      name: `a MultiSend ${name}`,
      request,
      warns: ['givesControl', 'notDecoded'],
      shows: ['Gives away control of your account.'],
    }),
  ),
  {
    name: 'a swap inside of a router’s multicall, paid with the value',
    request: transaction({
      to: router3,
      value: ether,
      data: encode('multicallUntil', [
        9_999_999_999n,
        [
          encode('exactInputSingle', [
            {
              tokenIn: weth,
              tokenOut: usdc,
              fee: 500,
              recipient: own,
              amountIn: ether,
              amountOutMinimum: 3n * 10n ** 9n,
              sqrtPriceLimitX96: 0n,
            },
          ]),
        ],
      ]),
    }),
    context: { known: { recipients: [], contracts: [router3] } },
    warns: [],
    shows: ['| − 1 ETH | Swap |'],
    hides: [/− 1 ETH.*− 1/],
  },
  ...(
    [
      ['executeBatch', encode('executeBatch', [[own], [5n * ether], ['0x']])],
      ['MultiSend', batchOf({ to: own, value: 5n * ether })],
      ['execTransaction', encode('execTransaction', [own, 5n * ether, '0x', 0, 0n, 0n, 0n, zero, zero, '0x12'])],
      ['ERC-7579', encode('execute7579', [word(0), `${own}${word(5n * ether).slice(2)}`])],
    ] as const
  ).map(
    ([name, data]): Row => ({
      name: `5 ETH to a contract that promises to send them back: ${name}`,
      request: transaction({ to: evil, value: 5n * ether, data }),
      answers: chainOf(
        { symbol: 'GOLD', decimals: 6 },
        simulated(moves(nativeLogger, own, evil, 1n), moves(usdc, evil, own, 10_000_000_000n)),
      ),
      warns: ['notDecoded', 'unknownContract'],
      shows: ['| − 5 ETH | + 10,000 USDC | Simulated on Ethereum. There may be other changes |', 'Amount sent | 5 ETH'],
    }),
  ),
  ...(
    [
      ['an increase', encode('increaseAllowance', [evil, 1_000_000n]), [], 'New limit | 8 GOLD'],
      ['an approval of all of a token', encode('approve', [evil, 9_000_000n]), ['coversBalance'], 'Limit | 9 GOLD'],
    ] as const
  ).map(
    ([name, data, warns, shown]): Row => ({
      name: `${name} of another account, whose allowance and balance count`,
      request: transaction({ to: friend, data: run(data) }),
      answers: {
        ...dollars,
        eth_call: ([call]) => {
          const asked = JSON.stringify(call)
          const isOthers = asked.includes(friend.slice(2))
          if (asked.includes('0xdd62ed3e')) return word(isOthers ? 7_000_000 : 0)
          if (asked.includes('0x70a08231')) return word(isOthers ? 9_000_000 : 10n ** 15n)
          return dollars.eth_call?.([call])
        },
      },
      warns: ['notDecoded', ...warns],
      shows: [shown],
    }),
  ),
]
