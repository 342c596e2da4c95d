import { randomInt } from 'node:crypto'
import * as z from 'zod'
import { type WeatherName, weathers } from './levels'

/** For `parseArgs`. */
export const weatherArguments = { weather: { type: 'string' }, seed: { type: 'string' } } as const

const Arguments = z.object({
  weather: z
    .string()
    .default('fair')
    .refine((name): name is WeatherName => Object.hasOwn(weathers, name), {
      error: `Choose a weather: ${Object.keys(weathers).join(' or ')}.`,
    }),
  seed: z.coerce.number({ error: 'The seed of the weather is a number.' }).int().optional(),
})

/** Default seed: random; the caller prints it. @throws an `Error` that says what to write */
export function readWeather(values: { readonly weather?: string; readonly seed?: string }): {
  readonly weather: WeatherName
  readonly seed: number
} {
  const { success, data, error } = Arguments.safeParse(values)
  if (!success) throw new Error(error.issues[0]?.message)
  return { weather: data.weather, seed: data.seed ?? randomInt(2 ** 31) }
}
