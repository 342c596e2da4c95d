import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import { testMoney } from '../testing/test-money'
import { planSwap } from './plan'
import { chainWith, dollar, ether, gem, honestService, orderOf, quote } from './testing/swap-fixtures'

const shown = quote(10n ** 18n)
/** As the service of these tests estimates each transaction. */
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

describe('what a swap costs', () => {
  it('5. is its gas, and twice what a rollup takes now, for each transaction', async () => {
    const one = orderOf(ether, gem, 5n, shown)
    expect((await planSwap(setUp(0n), one)).fee).toBe(gas)
    // The oracle of these tests names the same for the data and for the operator.
    expect((await planSwap(setUp(1_000n), one)).fee).toBe(gas + 2n * 2_000n)
    const two = orderOf(dollar, gem, 5n, shown)
    expect((await planSwap(setUp(1_000n), two)).fee).toBe(2n * (gas + 2n * 2_000n))
  })

  it('5. is not known where the rollup names no credible fee', async () => {
    await expect(planSwap(setUp(2n ** 256n - 1n), orderOf(ether, gem, 5n, shown))).rejects.toMatchObject({
      message: 'The network names no credible fee for its data',
    })
  })

  it('5. is nothing of the visitor’s where somebody else pays, whatever the rollup says', async () => {
    const pays = { '0x1': { paymasterService: { supported: true } } }
    const order = { ...orderOf(ether, gem, 5n, shown), isEmbedded: true }
    expect((await planSwap(setUp(2n ** 256n - 1n, pays), order)).fee).toBeNull()
  })
})
