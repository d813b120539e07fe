import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { api } from './api';
import type { ApiServices } from './base-query';
import { createSessionClient } from './session-client';
import { sessionSlice } from './session';
import { syncSlice } from './sync';
import { everything, secondFactor } from './tags';

const reducer = combineReducers({
  [api.reducerPath]: api.reducer,
  [sessionSlice.name]: sessionSlice.reducer,
  [syncSlice.name]: syncSlice.reducer,
});

export type RootState = ReturnType<typeof reducer>;

/** A store with the services that belong to it; tests make theirs the same way. */
export function makeStore() {
  const services: { -readonly [Name in keyof ApiServices]?: ApiServices[Name] } = {};
  const store = configureStore({
    reducer,
    middleware: (standard) => standard({ thunk: { extraArgument: services } }).concat(api.middleware),
  });
  const session = createSessionClient({
    getState: () => store.getState(),
    subscribe: (listener) => store.subscribe(listener),
    dispatch: store.dispatch,
    forget: () => store.dispatch(api.util.resetApiState()),
    refetch: () => store.dispatch(api.util.invalidateTags([...everything])),
    lackFactor: () => store.dispatch(api.util.invalidateTags([secondFactor])),
  });
  services.session = session;
  return { store, session };
}

export type AppStore = ReturnType<typeof makeStore>['store'];
export type AppDispatch = AppStore['dispatch'];

export const useAppDispatch = useDispatch.withTypes<AppDispatch>();
export const useAppSelector = useSelector.withTypes<RootState>();
