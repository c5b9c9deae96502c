import { describeStages } from '../stages/describe-stages.ts';

describeStages();
