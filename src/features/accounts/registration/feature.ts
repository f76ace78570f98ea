import { defineFeature, worksOn } from "../../../mount/feature.ts";
import { type RegistrationDeps, registrationJob, writeToRegister } from "./service/register.ts";
import { registrationPages } from "./web.tsx";

export const registrationFeature = defineFeature({
  name: "accounts/registration",
  routes: [registrationPages],
  jobs: [worksOn(registrationJob, (deps: RegistrationDeps, { payload }) => writeToRegister(deps, payload))],
});
