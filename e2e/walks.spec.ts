/**
 * Random walks of a user through two sites, in rough weather. `WALKS`: their number, 1 unless set. `PROPERTY_SEED`: the first
 * one's seed, which fixes its steps and its weather; the next one has the next.
 */
import { installClock } from './support/clock'
import { test } from './support/test'
import { stepsOf, walk } from './support/walk'
import { gatewayInWeather } from './support/weather'

const first = Number(process.env.WALKS === undefined ? 1 : (process.env.PROPERTY_SEED ?? 1))
const seeds = Array.from({ length: Number(process.env.WALKS ?? 1) }, (_, index) => first + index)

for (const seed of seeds)
  test(`@embedded @weather @money what a user pays in two sites, walk ${seed}`, async ({ page, sites, lane }) => {
    test.setTimeout(600_000)
    await installClock(page)
    const place = await gatewayInWeather(lane, 'rough', seed)
    try {
      await walk(page.context(), place, sites, stepsOf(seed))
    } finally {
      await place.remove()
    }
  })
