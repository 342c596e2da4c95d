import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import { testMoney } from '../testing/test-money'
import { planSwap } from './plan'
import { chainWith, dollar, ether, gem, honestService, orderOf, quote } from './testing/swap-fixtures'

const shown = quote(10n ** 18n)
/** The service's gas cost per transaction. */
const gas = 150_000n * 10n ** 9n

function setUp(rollup: bigint, capabilities: unknown = null) {
  return testMoney({
    client: chainWith(0n, {}, [dollar, gem], rollup),
    api: honestService(),
    async request() {
      if (capabilities === null) throw new Failure('UNSUPPORTED_METHOD')
      return capabilities
    },
  })
}

describe('the fee of a swap', () => {
  it('5. is its gas plus twice the rollup fee, for each transaction', async () => {
    const one = orderOf(ether, gem, 5n, shown)
    expect((await planSwap(setUp(0n), one)).fee).toBe(gas)
    // The oracle returns the same for both fees.
    expect((await planSwap(setUp(1_000n), one)).fee).toBe(gas + 2n * 2_000n)
    const two = orderOf(dollar, gem, 5n, shown)
    expect((await planSwap(setUp(1_000n), two)).fee).toBe(2n * (gas + 2n * 2_000n))
  })

  it('5. is unknown if the rollup fee is implausible', async () => {
    await expect(planSwap(setUp(2n ** 256n - 1n), orderOf(ether, gem, 5n, shown))).rejects.toMatchObject({
      message: 'The network names no credible fee for its data',
    })
  })

  it('5. is null if it is sponsored, whatever the rollup fee', async () => {
    const pays = { '0x1': { paymasterService: { supported: true } } }
    const order = { ...orderOf(ether, gem, 5n, shown), isEmbedded: true }
    expect((await planSwap(setUp(2n ** 256n - 1n, pays), order)).fee).toBeNull()
  })
})
