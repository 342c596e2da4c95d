/** Solana requests of other programs than those that are read, and of rare instructions, with what each must show. */

import type { SolanaRow } from './corpus'
import {
  bytesOf,
  creationOf,
  keyOf,
  mint,
  type Order,
  ofBudget,
  ofSystem,
  ofToken,
  openingOf,
  owner,
  payer,
  programIds,
  stranger,
  thief,
  tokenAccount,
  transferOf,
  u32,
  u64,
} from './transactions'

const { system, token, token2022, stake } = programIds
const unread = 'We couldn’t fully read this request.'
const rent = 'SysvarRent111111111111111111111111111111111'
const loader = 'BPFLoaderUpgradeab1e11111111111111111111111'
const vote = 'Vote111111111111111111111111111111111111111'
const metadata = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
const bubblegum = 'BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY'
const names = 'namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX'
const governance = 'GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw'
const squads = 'SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf'

const of = (program: string, accounts: readonly string[], ...data: readonly number[]): Order => ({
  program,
  accounts,
  data,
})
const ofToken2022 = (accounts: readonly string[], ...data: readonly number[]) => of(token2022, accounts, ...data)
const seed = [...u64(1n), 97]
const hash = new Array<number>(32).fill(7)

/** Each takes something or gives a right, as far as the card knows. */
const notRead: Readonly<Record<string, Order>> = {
  'Token-2022: a transfer hook set': ofToken2022([mint, owner], 36, 1, ...bytesOf(thief)),
  'Token-2022: a permanent delegate': ofToken2022([mint], 35, ...bytesOf(thief)),
  'Token-2022: a confidential transfer': ofToken2022([tokenAccount, mint, keyOf(7), owner], 27, 7, ...hash),
  'Token-2022: a confidential withdrawal': ofToken2022([tokenAccount, mint, owner], 27, 6, ...u64(5n), 6, ...hash),
  'Token-2022: a transfer fee set': ofToken2022([mint, owner], 26, 5, 16, 39, ...u64(2n ** 64n - 1n)),
  'Token-2022: withheld fees withdrawn': ofToken2022([mint, thief, owner], 26, 2),
  'Token-2022: no memo needed any more': ofToken2022([tokenAccount, owner], 30, 1),
  'Token-2022: the guard of other programs turned off': ofToken2022([tokenAccount, owner], 34, 1),
  'Token-2022: new members of a group': ofToken2022([mint, owner], 23, 1, 2, 3),
  'a multisig that the owner signs for': ofToken([tokenAccount, thief, stranger, owner], 3, ...u64(5n)),
  'an allowance by a multisig': ofToken([tokenAccount, thief, stranger, owner], 4, ...u64(5n)),
  'a burn, checked': ofToken([tokenAccount, mint, owner], 15, ...u64(5n), 6),
  'tokens issued': ofToken([mint, tokenAccount, owner], 7, ...u64(5n)),
  'an account frozen': ofToken([tokenAccount, mint, owner], 10),
  'System: WithdrawNonce': ofSystem(5, [keyOf(7), thief, rent, rent, owner], u64(5n)),
  'System: InitializeNonce': ofSystem(6, [keyOf(7), rent, rent], bytesOf(thief)),
  'System: AllocateWithSeed': ofSystem(
    9,
    [keyOf(7), owner],
    [...bytesOf(owner), ...seed, ...u64(9n), ...bytesOf(thief)],
  ),
  'System: TransferWithSeed': ofSystem(11, [keyOf(7), owner, thief], [...u64(5n), ...seed, ...bytesOf(system)]),
  'System: an unknown instruction': ofSystem(13, [owner, thief], u64(5n)),
  'System: a transfer cut short': of(system, [owner, thief], 2, 0, 0, 0, 5),
  'System: another signer’s transfer': ofSystem(2, [thief, stranger], u64(5n)),
  'a stake split': of(stake, [tokenAccount, thief, owner], ...u32(3), ...u64(5n)),
  'stakes merged': of(stake, [thief, tokenAccount, rent, rent, owner], ...u32(7)),
  'a stake withdrawn, with a custodian': of(
    stake,
    [tokenAccount, thief, rent, rent, owner, payer],
    ...u32(4),
    ...u64(5n),
  ),
  'a stake locked': of(stake, [tokenAccount, owner], ...u32(6), 1, ...u64(2n ** 62n), 0, 0),
  'a stake moved': of(stake, [tokenAccount, thief, owner], ...u32(16), ...u64(5n)),
  'a vote account’s lamports': of(vote, [tokenAccount, thief, owner], ...u32(3), ...u64(5n)),
  'a vote account’s authority': of(vote, [tokenAccount, rent, owner], ...u32(1), ...bytesOf(thief), ...u32(1)),
  'a program’s authority': of(loader, [tokenAccount, owner, thief], ...u32(4)),
  'a program upgraded': of(loader, [tokenAccount, keyOf(7), mint, thief, rent, rent, owner], ...u32(3)),
  'a program closed': of(loader, [tokenAccount, thief, owner], ...u32(5)),
  'a name given away': of(names, [tokenAccount, owner], 2, ...bytesOf(thief)),
  'Metaplex: a burn': of(metadata, [owner, mint, tokenAccount], 41, 0, ...u64(1n)),
  'Metaplex: a transfer': of(metadata, [tokenAccount, owner, keyOf(7), thief, mint], 49, 0, ...u64(1n), 0),
  'Metaplex: another update authority': of(metadata, [mint, owner], 50, 0, 1, ...bytesOf(thief)),
  'Metaplex: a delegate': of(metadata, [keyOf(7), thief, mint, tokenAccount, owner], 44, 2, ...u64(1n), 0),
  'Metaplex: an item locked': of(metadata, [owner, tokenAccount, mint], 46, 0, 0),
  'Bubblegum: a transfer': of(bubblegum, [keyOf(7), owner, owner, thief, stranger], 163, 52, 200, 231, 140, 3, 69, 186),
  'Bubblegum: a delegate': of(bubblegum, [keyOf(7), owner, owner, thief, stranger], 90, 147, 75, 178, 85, 88, 4, 137),
  'Bubblegum: a burn': of(bubblegum, [keyOf(7), owner, owner, stranger], 116, 110, 29, 56, 107, 219, 42, 93),
  'a governance’s deposit': of(governance, [keyOf(7), tokenAccount, owner], 1, ...u64(5n)),
  'a governance’s delegate': of(governance, [owner, keyOf(7)], 3, 1, ...bytesOf(thief)),
  'Squads: a vault’s transaction': of(squads, [keyOf(7), keyOf(8), owner], 194, 8, 161, 87, 153, 164, 25, 171),
}

export const solanaProgramsCorpus: readonly SolanaRow[] = [
  ...Object.entries(notRead).map(([name, order]) => ({
    name,
    orders: [order],
    shows: ['Program interaction', order.program, unread, ...order.accounts],
    warnings: ['notDecoded', 'unknownContract'] as const,
  })),
  ...[
    { name: 'AssignWithSeed', order: ofSystem(10, [keyOf(7), owner], [...bytesOf(owner), ...seed, ...bytesOf(thief)]) },
    { name: 'AuthorizeNonce', order: ofSystem(7, [keyOf(7), owner], bytesOf(thief)) },
    { name: 'the right to issue', order: ofToken([mint, owner], 6, 0, 1, ...bytesOf(thief)) },
    { name: 'the right to withhold fees', order: ofToken2022([mint, owner], 6, 5, 1, ...bytesOf(thief)) },
    { name: 'the right of a permanent delegate', order: ofToken2022([mint, owner], 6, 8, 1, ...bytesOf(thief)) },
  ].map(({ name, order }) => ({
    name,
    orders: [order],
    shows: ['Gives away control of your account.', thief],
    warnings: ['givesControl'] as const,
  })),
  {
    name: 'wrapped SOL: opened, filled, counted, closed for another',
    orders: [
      openingOf(keyOf(100), owner),
      transferOf(5_000n, keyOf(100)),
      ofToken([keyOf(100)], 17),
      ofToken([keyOf(100), thief, owner], 9),
    ],
    shows: ['Everything in the closed account', '0.000005 SOL', thief],
    warnings: ['firstTimeRecipient', 'firstTimeRecipient'],
  },
  {
    name: 'a new account with a seed, of a token program',
    orders: [
      ofSystem(
        3,
        [owner, keyOf(7), owner],
        [...bytesOf(owner), ...seed, ...u64(9_000_000_000n), ...u64(165n), ...bytesOf(token)],
      ),
    ],
    shows: ['9 SOL', keyOf(7), token, '165', unread],
    warnings: ['notDecoded', 'firstTimeRecipient'],
  },
  {
    name: 'a nonce that is used after the payment',
    orders: [transferOf(1n, thief), ofSystem(4, [keyOf(7), rent, owner], [])],
    shows: ['This doesn’t expire.', thief],
    warnings: ['neverExpires', 'firstTimeRecipient'],
  },
  {
    name: 'a payment whose fee another address pays',
    orders: [transferOf(5_000_000_000n, payer)],
    signers: [payer, owner],
    shows: ['5 SOL', payer],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a price with the largest heap, in the last of two transactions',
    orders: [
      [transferOf(1n, thief)],
      [ofBudget(1, ...u32(262_144)), ofBudget(3, ...u64(2n ** 50n)), creationOf(1n, thief)],
    ],
    signers: [owner, thief],
    shows: ['High fee: up to '],
    warnings: ['highFee', 'firstTimeRecipient'],
  },
  {
    name: 'no instruction at all, which takes the fee alone',
    orders: [[]],
    shows: ['0.000005 SOL'],
    warnings: [],
  },
  {
    name: 'a fee that takes all of a transfer',
    orders: [ofToken2022([tokenAccount, mint, thief, owner], 26, 1, ...u64(5_000_000n), 6, ...u64(5_000_000n))],
    shows: ['−\u202F5', thief],
    warnings: ['firstTimeRecipient'],
  },
]
