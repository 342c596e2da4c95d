import { segwitAddressOf } from '@postern/chains/bip122/segwit-address'
import { safeAddress } from '@postern/chains/eip155/safe-account'
import { bip122Chains } from '@postern/protocol/namespaces/bip122'
import { getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import * as adminSchema from '../../platform/db/admin-schema'
import * as moneySchema from '../../platform/db/money-schema'
import { analyticsEvents, names } from '../../platform/db/money-schema'
import * as schema from '../../platform/db/schema'
import * as siwxSchema from '../../platform/db/siwx-schema'
import * as walletSchema from '../../platform/db/wallet-schema'
import { succeed } from '../../testing/sign-in'
import { sessionOf, sharedGateway } from '../../testing/visitors'
import { newWallet } from '../../testing/wallet'
import { createUsers, UserExport } from './users'

const gateway = await sharedGateway()
const { app, signIn } = gateway
const users = createUsers(app.database, app.auth)
const exportOf = async (id: string) => {
  const exported = await users.export(id)
  if (exported === null) throw new Error('A user expected')
  return exported
}

async function withWallet() {
  const visitor = await signIn()
  const wallet = newWallet()
  const shares = await wallet.split('create', visitor.user.id)
  await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, sessionOf(visitor))
  return { visitor, wallet, userId: visitor.user.id }
}

test('an export has the wallet’s Bitcoin key, and events and names of every address', async () => {
  const { wallet, userId } = await withWallet()
  const { eip155, solana, bip122 } = wallet.addresses
  const bitcoin = segwitAddressOf(bip122, bip122Chains.mainnet)
  const addresses = [eip155, eip155.toLowerCase(), safeAddress(wallet.owner), solana, bitcoin]
  const at = new Date(gateway.at)
  await app.database.orm.delete(analyticsEvents)
  await app.database.orm.insert(analyticsEvents).values(
    [...addresses, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'].map((address, index) => ({
      ...({ projectId: 'demo', type: 'track', event: 'CONNECT', origin: 'https://app.example.com' } as const),
      ...{ eventId: `${index}`, properties: { view: 'Connect' }, address, receivedAt: at },
    })),
  )
  await app.database.orm.insert(names).values({
    ...{ label: 'alice', coinType: 0, address: bitcoin, slot: 1, registeredAt: at },
    attributes: { bio: 'A bio' },
  })
  const exported = await exportOf(userId)
  expect(exported.wallets).toMatchObject([{ eip155, solana, bip122, recovery: 'gateway' }])
  expect(exported.events.map(({ address }) => address)).toEqual(addresses)
  expect(exported.events[0]).toMatchObject({ type: 'track', properties: { view: 'Connect' } })
  expect(exported.names).toMatchObject([{ label: 'alice', address: bitcoin, attributes: { bio: 'A bio' } }])
})

test('an export has the former and the requested email address', async () => {
  const { visitor, userId } = await withWallet()
  await gateway.changeAddress(visitor, 'second@example.com')
  expect(await exportOf(userId)).toMatchObject({
    email: 'second@example.com',
    addressChange: { formerEmail: visitor.email },
    emailChange: null,
  })
  const other = await signIn()
  gateway.at += 60_000
  await succeed(app, 'emailChange', { email: 'requested@example.com' }, sessionOf(other))
  const exported = await exportOf(other.user.id)
  expect(exported).toMatchObject({ emailChange: { newEmail: 'requested@example.com' }, addressChange: null })
  expect(exported.emailSignIns).toMatchObject([{ projectId: 'demo' }])
})

test('an export names what operators did with the user, and not the operators', async () => {
  const { userId } = await withWallet()
  const entry = { at: new Date(gateway.at), actor: 'ann', detail: null }
  await app.database.orm.insert(adminSchema.auditLog).values([
    { ...entry, action: 'user.block', target: userId },
    { ...entry, action: 'user.look-up', target: `other, ${userId}` },
    { ...entry, action: 'user.block', target: 'other' },
  ])
  const { operations } = await exportOf(userId)
  expect(operations.map(({ action }) => action)).toEqual(['user.block', 'user.look-up'])
  expect(JSON.stringify(operations)).not.toContain('ann')
})

/** Fields of the export by table, and the columns that it leaves out: keys, hashes, sealed shares and secrets. */
const exported: Readonly<Record<string, readonly [field: keyof typeof UserExport.shape | null, ...string[]]>> = {
  users: [null, 'subjectHash'],
  wallets: ['wallets', 'userId', 'recoveryProof', 'addressProof', 'replaces'],
  devices: ['devices', 'userId', 'tokenHash', 'subjectHash'],
  sessions: ['sessions', 'id', 'userId', 'keyThumbprint'],
  auth_shares: ['shares', 'userId', 'sealed', 'proofHash'],
  recoveries: ['recoveries', 'id', 'userId', 'sessionId'],
  wallet_ends: ['walletEnds', 'id', 'tokenHash', 'userHash', 'subjectHash', 'sealed'],
  email_changes: ['emailChange', 'userId', 'sessionId'],
  address_changes: ['addressChange', 'userId', 'formerHash'],
  // Of the user's own address.
  email_flows: ['emailSignIns', 'id', 'emailHash', 'email', 'deviceTokenHash', 'linkHash'],
  names: ['names'],
  analytics_events: ['events', 'id', 'eventId'],
  audit_log: ['operations', 'id', 'actor', 'target', 'detail'],
}
/** Nothing in them is both of a user and readable. */
const withoutUserData: readonly string[] = [
  // Shares, their keys and hashes.
  ...['recovery_shares', 'share_keys', 'share_proofs', 'codes', 'rate_limits'],
  // Sealed or hashed, without anything that leads from the user to them.
  ...['social_flows', 'siwx_keys', 'siwx_nonces', 'siwx_revoked', 'siwx_proofs'],
  // Of projects and operators.
  ...['projects', 'analytics_counts', 'operator_sign_ins', 'operator_sessions'],
]
const Fields = z.object({ properties: z.record(z.string(), z.unknown()) })
const shape = Fields.parse(z.toJSONSchema(UserExport)).properties

/** Of the user, of a row that may be null, or of a list's rows. */
function fieldsOf(field: string | null): string[] {
  if (field === null) return Object.keys(shape)
  const rows = z.union([z.object({ items: Fields }), z.object({ anyOf: z.tuple([Fields], z.unknown()) })])
  const read = rows.parse(shape[field])
  return Object.keys(('items' in read ? read.items : read.anyOf[0]).properties)
}

const tables = [schema, walletSchema, moneySchema, siwxSchema, adminSchema]
  .flatMap((module) => Object.values<unknown>(module))
  .filter((value) => is(value, Table))

test('an export has every readable column of every table with data of a user', async () => {
  expect(tables.map(getTableName).toSorted()).toEqual([...Object.keys(exported), ...withoutUserData].toSorted())
  for (const table of tables) {
    const [field, ...withheld] = exported[getTableName(table)] ?? [null]
    if (exported[getTableName(table)] === undefined) continue
    const columns = Object.keys(getTableColumns(table)).filter((column) => !withheld.includes(column))
    expect([getTableName(table), fieldsOf(field)]).toEqual([getTableName(table), expect.arrayContaining(columns)])
  }
})
