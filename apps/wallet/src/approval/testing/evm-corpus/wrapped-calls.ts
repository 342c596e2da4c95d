/** Signatures that move money. */
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import { evil, friend, own, token } from '../draw-card'
import { likeFriend } from '../evm-requests/addresses'
import { encode, fees } from '../evm-requests/calls'
import { dollars, unknownToken, word } from '../evm-requests/chain'
import { at, member, soon, typedData } from '../evm-requests/typed-data'
import {
  authorization,
  forwardRequest,
  metaTransaction,
  safeTx,
  transferByAuthorization,
} from '../evm-requests/wrapped-calls'
import type { Row } from './row'

export const rows: readonly Row[] = [
  {
    name: 'EIP-3009: 50,000 of a token to a stranger',
    request: transferByAuthorization({}),
    answers: dollars,
    context: { known: { recipients: [], contracts: [token] } },
    warns: ['firstTimeRecipient'],
    shows: [`− 50,000 GOLD ${unknownToken}`, `To | ${evil}`, 'Intended for'],
    hides: ['Approve | Sign data'],
  },
  {
    name: 'EIP-3009, to an address like an earlier recipient',
    request: transferByAuthorization({ to: likeFriend }, 'ReceiveWithAuthorization'),
    context: { known: { recipients: [friend], contracts: [token] } },
    warns: ['lookalikeRecipient', 'firstTimeRecipient'],
    shows: ['Look-alike address.'],
  },
  {
    name: 'EIP-3009, with a type that only has its name',
    request: typedData('TransferWithAuthorization', {
      types: { TransferWithAuthorization: authorization.slice(0, 3) },
      message: { from: own, to: evil, value: '5' },
    }),
    context: { known: { recipients: [], contracts: [token] } },
    warns: ['notDecoded'],
    shows: ['This signature could move your assets.'],
  },
  {
    name: 'a Safe’s delegatecall',
    request: safeTx({ operation: 1, data: '0x1234' }),
    warns: ['givesControl', 'notDecoded', 'unknownContract'],
    shows: ['Gives away control of your account.', evil],
  },
  {
    name: 'a Safe’s own call that enables a module',
    request: safeTx({ to: friend, data: encode('enableModule', [evil]) }),
    warns: ['givesControl', 'notDecoded'],
    shows: ['Gives away control of your account.', evil],
  },
  {
    name: 'the own smart account’s call that enables a module',
    request: approvalRequest({
      kind: 'eip155.userOperation',
      from: own,
      calls: [{ to: own, value: '0', data: encode('enableModule', [evil]) }],
      fees,
      sponsored: true,
      deploys: false,
      operation: {},
      hash: '0x',
    }),
    context: { known: { recipients: [], contracts: [own] } },
    warns: ['givesControl', 'notDecoded'],
    shows: ['Gives away control of your account.', evil],
  },
  {
    name: 'a Safe’s transfer of a token',
    request: safeTx({ to: token, data: encode('transfer', [evil, 5_000_000n]) }),
    answers: dollars,
    warns: ['firstTimeRecipient', 'unknownContract'],
    shows: ['− 5 GOLD', evil],
  },
  {
    name: 'a Safe that refunds gas at any price',
    request: safeTx({ to: friend, value: '1', baseGas: '99999999', gasPrice: '99999999999', refundReceiver: evil }),
    context: { known: { recipients: [friend], contracts: [friend] } },
    warns: ['notDecoded'],
    shows: ['This signature could move your assets.'],
  },
  {
    name: 'a meta transaction with a transfer',
    request: metaTransaction(encode('transfer', [evil, 5_000_000n])),
    answers: dollars,
    warns: ['firstTimeRecipient'],
    shows: ['− 5 GOLD', evil],
  },
  {
    name: 'a meta transaction with an unlimited approval',
    request: metaTransaction(encode('approve', [evil, 2n ** 256n - 1n])),
    answers: dollars,
    warns: ['unlimitedApproval', 'unknownContract'],
    shows: ['Unlimited spending.', 'Allow spending'],
  },
  {
    name: 'a forwarded approval of a collection',
    request: forwardRequest({ to: token, data: encode('setApprovalForAll', [evil, true]) }),
    warns: ['approvesAll', 'unknownContract'],
    shows: ['Access to your entire collection.', `Collection | ${token}`],
  },
  {
    name: 'a forwarded call with members that are not read',
    request: forwardRequest({ to: friend, value: 1n }, {}, [member('tokenGasPrice', 'uint256')]),
    context: { known: { recipients: [friend], contracts: [evil] } },
    warns: ['notDecoded'],
    shows: ['This signature could move your assets.'],
  },
  ...(
    [
      ['Blur’s root of any number of listings', 'Root', [member('root', 'bytes32')], { root: word(99) }],
      [
        '0x: an order of an item',
        'ERC721Order',
        [member('direction', 'uint8'), member('maker', 'address'), member('erc20TokenAmount', 'uint256')],
        { direction: 0, maker: own, erc20TokenAmount: '1' },
      ],
      [
        'Hyperliquid: a payment',
        'HyperliquidTransaction:UsdSend',
        [member('destination', 'string'), member('amount', 'string')],
        { destination: evil, amount: '9' },
      ],
      [
        'a permit for all of a collection',
        'PermitForAll',
        [member('owner', 'address'), member('operator', 'address'), member('approved', 'bool')],
        { owner: own, operator: evil, approved: true },
      ],
      [
        'a delegation of votes',
        'Delegation',
        [member('delegatee', 'address'), member('nonce', 'uint256'), member('expiry', 'uint256')],
        { delegatee: evil, nonce: '0', expiry: soon },
      ],
      [
        'an allowance of debt',
        'DelegationWithSig',
        [member('delegatee', 'address'), member('value', 'uint256')],
        { delegatee: evil, value: '5' },
      ],
      [
        'an authorization to manage a position',
        'Authorization',
        [member('authorizer', 'address'), member('authorized', 'address'), member('isAuthorized', 'bool')],
        { authorizer: own, authorized: evil, isAuthorized: true },
      ],
    ] as const
  ).map(
    ([name, primaryType, members, message]): Row => ({
      name: `${name}, also for a contract that was called before`,
      request: typedData(primaryType, { types: { [primaryType]: members }, message, domain: at(evil) }),
      context: { known: { recipients: [], contracts: [evil] } },
      warns: ['notDecoded'],
      shows: ['This signature could move your assets.', evil],
    }),
  ),
]
