import { createContext, useContext } from 'react'
import { type Say, speak } from './say'

export const SayContext = createContext<Say>(speak())

/** The catalogue in the user's language. */
export const useSay = (): Say => useContext(SayContext)
