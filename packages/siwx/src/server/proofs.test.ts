import { describe, expect, it } from 'vitest'
import { clock, noon, visitor } from '../testing/sign-in'
import { memoryProofs, type Proof } from './proofs'
import { contractServer, minute, reason } from './testing/server'

describe('a contract’s signature that becomes invalid during a session', () => {
  it('ends the session at the next recheck, in every copy of its token', async () => {
    const { get, signIn, sessions, pass, turn, account } = contractServer()
    const token = await signIn(visitor(), account)
    turn(false)
    pass(minute - 1)
    expect((await get('me', { token })).status).toBe(200)
    pass(1)
    expect((await get('me', { token })).status).toBe(401)
    expect(await sessions.check(token)).toBeNull()
  })

  it('ends nothing while the chain does not respond', async () => {
    const { get, signIn, pass, turn, account } = contractServer()
    const token = await signIn(visitor(), account)
    turn('down')
    pass(minute)
    expect((await get('me', { token })).status).toBe(200)
    turn(false)
    pass(45_000)
    expect((await get('me', { token })).status).toBe(401)
  })

  it.each([
    ['execution aborted (timeout = 5s)', [401, 401]],
    ['execution timeout', [401, 401]],
    ['context deadline exceeded', [200, 503]],
    ['limit exceeded', [200, 503]],
  ])('ends if the contract runs too long, and is unconfirmed if the cause is unknown: %s', async (error, statuses) => {
    const { get, signIn, pass, turn, account } = contractServer()
    const token = await signIn(visitor(), account)
    turn({ error })
    pass(minute)
    const first = await get('me', { token })
    pass(25 * minute)
    expect([first.status, (await get('me', { token })).status]).toEqual(statuses)
  })

  it('2. is hidden while unconfirmed for too long, and returns once confirmed', async () => {
    const { get, signIn, pass, turn, account } = contractServer()
    const anna = visitor()
    const token = await signIn(visitor(), account)
    const both = await signIn(anna, {}, { token })
    turn('down')
    pass(26 * minute - 1)
    expect((await get('me', { token })).status).toBe(200)
    pass(1)
    const refused = await get('me', { token })
    expect([refused.status, await reason(refused)]).toEqual([503, 'UNVERIFIABLE'])
    const { sessions } = await (await get('me', { token: both })).json()
    expect(sessions).toMatchObject([{ address: anna.address }])
    turn(true)
    pass(45_000)
    expect((await (await get('me', { token: both })).json()).sessions).toHaveLength(2)
  })

  it('4. asks an unresponsive chain once per pause, despite repeated and concurrent requests', async () => {
    const { get, signIn, pass, turn, account, requests } = contractServer()
    const token = await signIn(visitor(), account)
    turn('down')
    pass(minute)
    await Promise.all(Array.from({ length: 20 }, () => get('me', { token })))
    const first = requests()
    expect(first).toBe(2)
    for (let calls = 0; calls < 20; calls++) expect((await get('me', { token })).status).toBe(200)
    pass(44_999)
    await get('me', { token })
    expect(requests()).toBe(first)
    pass(1)
    await get('me', { token })
    expect(requests()).toBe(first + 1)
  })

  it('4. accepts all concurrent requests after a long absence', async () => {
    const { get, signIn, pass, account, requests } = contractServer()
    const token = await signIn(visitor(), account)
    pass(24 * 60 * minute)
    const all = await Promise.all(Array.from({ length: 5 }, () => get('me', { token })))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(requests()).toBe(2)
  })

  it('2. keeps a session that may not be rechecked, and the others with it', async () => {
    let may = false
    const wanted: string[] = []
    const mayRecheck = ({ address }: { readonly address: string }) => {
      wanted.push(address)
      return may
    }
    const { get, signIn, pass, turn, account, requests } = contractServer({ mayRecheck })
    const token = await signIn(visitor(), account, { token: await signIn(visitor()) })
    turn(false)
    pass(minute)
    expect((await (await get('me', { token })).json()).sessions).toHaveLength(2)
    expect([requests(), wanted]).toEqual([1, [account.accountAddress]])
    pass(25 * minute)
    expect((await (await get('me', { token })).json()).sessions).toHaveLength(1)
    may = true
    expect((await (await get('me', { token })).json()).sessions).toHaveLength(1)
    expect(requests()).toBe(2)
    may = false
    expect((await (await get('me', { token })).json()).sessions).toHaveLength(1)
  })

  it('asks no chain about a key, whose signatures stay valid', async () => {
    const { get, signIn, pass, turn } = contractServer()
    turn(false)
    const token = await signIn(visitor())
    pass(minute)
    expect((await get('me', { token })).status).toBe(200)
  })

  it('keeps the other sessions', async () => {
    const { get, signIn, pass, turn, account } = contractServer()
    const anna = visitor()
    const token = await signIn(visitor(), account, { token: await signIn(anna) })
    turn(false)
    pass(minute)
    expect((await (await get('me', { token })).json()).sessions).toMatchObject([{ address: anna.address }])
  })

  it('returns the signature with the session', async () => {
    const { post, get, signed, account } = contractServer()
    const { message, signature, data } = await signed(visitor(), account)
    const { token } = await (await post('authenticate', { message, signature, data })).json()
    expect((await (await get('me', { token })).json()).sessions).toMatchObject([{ message, signature }])
  })

  it('3. ends a contract’s session with a lost proof, but not a key’s', async () => {
    const proofs = memoryProofs({ limit: 1, now: () => noon })
    const { get, signIn, account, pass } = contractServer({ proofs })
    const [anna, contract] = [visitor(), visitor()]
    const key = await signIn(anna)
    const first = await signIn(contract, account)
    // Another contract takes the only place.
    const second = await signIn(contract, { accountAddress: visitor().address })
    expect((await get('me', { token: first })).status).toBe(401)
    expect((await get('me', { token: second })).status).toBe(200)
    pass(minute)
    expect((await get('me', { token: key })).status).toBe(200)
  })

  it('marks contract sessions in the token, and key sessions not', async () => {
    const { get, signIn, account } = contractServer()
    const token = await signIn(visitor(), account, { token: await signIn(visitor()) })
    const { sessions } = await (await get('me', { token })).json()
    expect(sessions.map(({ contract }: { contract?: boolean }) => contract)).toEqual([undefined, true])
  })
})

describe('memoryProofs', () => {
  const proof: Proof = { message: 'm', signature: '0x', checkedAt: noon }
  const ofContract: Proof = { ...proof, contract: true }

  it('keeps a contract’s proof however many keys sign in', async () => {
    const proofs = memoryProofs({ limit: 3, now: () => noon })
    await proofs.put('contract', ofContract, noon + 1)
    for (let count = 0; count < 10; count++) await proofs.put(`key ${count}`, proof, noon + minute)
    expect(await proofs.get('contract')).toEqual(ofContract)
    expect(await proofs.get('key 9')).toEqual(proof)
    expect(await proofs.get('key 7')).toBeNull()
    for (const id of ['two', 'three']) await proofs.put(id, ofContract, noon + minute)
    await proofs.put('a key where all are contracts’', proof, noon + minute)
    for (const id of ['contract', 'two', 'three']) expect(await proofs.get(id)).toEqual(ofContract)
  })

  it('evicts expired proofs first, then the oldest', async () => {
    const { now, pass } = clock()
    const proofs = memoryProofs({ limit: 2, now })
    await proofs.put('long', ofContract, noon + 2 * minute)
    await proofs.put('short', ofContract, noon + minute)
    pass(minute)
    await proofs.put('third', ofContract, noon + 3 * minute)
    expect(await proofs.get('long')).toEqual(ofContract)
    await proofs.put('fourth', ofContract, noon + 3 * minute)
    expect(await proofs.get('long')).toBeNull()
    expect(await proofs.get('third')).toEqual(ofContract)
  })
})
