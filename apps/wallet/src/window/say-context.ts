import { createContext, useContext } from 'react'
import { type Say, speak } from './text'

export const SayContext = createContext<Say>(speak('en'))

/** The catalogue in the user's language. */
export const useSay = (): Say => useContext(SayContext)
