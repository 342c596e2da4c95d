import { createContext, useContext } from 'react'
import { type Say, speak } from './say'

export const SayContext = createContext<Say>(speak())

export const useSay = (): Say => useContext(SayContext)
